import type { Locator } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import {
  alert,
  captcha,
  card,
  idField,
  ids,
  lookUp,
  lookupButton,
  submitId,
} from '../support/lookup-page.ts';
import { hold, holdUntilReleased, sentTo } from '../support/server-answers.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('§3, 37, 126, 128–132, 178 once the captcha is solved the ID is sent, trimmed, once', async ({
  page,
}) => {
  const lookups = sentTo(page, '/lookup');
  const release = await holdUntilReleased(page, '/challenge');
  await hold(page, '/lookup');
  await lookUp(page, `\t${ids.ordinary} `);
  await expect(captcha(page)).toBeVisible();
  expect(lookups).toEqual([]);
  release();
  await expect(lookupButton(page)).toHaveText('Looking up…');
  await expect(lookupButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(captcha(page)).toHaveCount(0);
  await expect.poll(() => lookups.length).toBe(1);
  // A real click waits for a button that is enabled and does not scroll by.
  await lookupButton(page).dispatchEvent('click');
  expect(lookups).toEqual([{ discord_id: ids.ordinary, proof: expect.stringMatching(/^ey/) }]);
  const solution = JSON.parse(atob(lookups[0]?.['proof'] ?? '')) as object;
  expect(Object.keys(solution).toSorted().join()).toBe('algorithm,challenge,number,salt,signature,took');
});

test('§2, 38–41, 136–138 each answer comes alone, below the form, until the next lookup', async ({
  page,
  problems,
}) => {
  problems.expect(/status of (?:404|500) .*\/lookup$/);
  await lookUp(page, ids.ordinary);
  await expect(card(page).getByRole('heading', { name: 'Marlow Finch' })).toBeFocused();
  const answers = page.locator('article, [role=alert]');
  const expectAnswer = async (kind: Locator): Promise<void> => {
    await expect(kind).toBeVisible();
    await expect(answers).toHaveCount(1);
    const [form, result] = await Promise.all([idField(page).boundingBox(), kind.boundingBox()]);
    expect(result?.y).toBeGreaterThan(form?.y ?? Infinity);
  };
  await expectAnswer(card(page));
  for (const [id, status] of [
    [ids.nobody, 404],
    [ids.bot, 500],
    [ids.tag, 500],
  ] as const) {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    await page.unroute('/lookup');
    await page.route('/lookup', async (route) => {
      await promise;
      await route.fulfill({ status, json: { error: 'It broke.', id, created_utc: '2021-01-01T00:00:17Z' } });
    });
    await submitId(page, id);
    await expect(lookupButton(page)).toHaveText('Looking up…');
    await expect(answers).toHaveCount(0);
    release();
    await expectAnswer(alert(page));
  }
});

test('a lookup that is cancelled says so, and hears no late answer', async ({ page }) => {
  const cancelled = page.getByRole('status').filter({ hasText: 'Lookup cancelled.' });
  const release = await holdUntilReleased(page, '/lookup');
  await lookUp(page, ids.bot);
  await expect(lookupButton(page)).toHaveText('Looking up…');
  await expect(captcha(page)).toHaveCount(0);
  const aborted = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await aborted;
  await expect(cancelled).toHaveCount(1);
  await expect(idField(page)).toHaveValue(ids.bot);
  await expect(lookupButton(page)).toBeFocused();
  release();
  await expect(card(page)).toHaveCount(0);
  await lookupButton(page).click();
  await expect(card(page)).toContainText('Snowplough');
});
