import type { Locator, Page } from '@playwright/test';
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

test('§3, 37, 126, 128–132, 178 nothing is sent before the captcha is solved, then the trimmed ID with the proof, once', async ({
  page,
}) => {
  const lookups = sentTo(page, '/lookup');
  const release = await holdUntilReleased(page, '/challenge');
  await hold(page, '/lookup');
  await lookUp(page, `\t${ids.ordinary} `);
  await expect(captcha(page)).toBeVisible();
  expect(lookups).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(captcha(page)).toHaveCount(0);
  release();
  await lookupButton(page).click();
  await expect(lookupButton(page)).toHaveText('Looking up…');
  await expect(lookupButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(captcha(page)).toHaveCount(0);
  await expect.poll(() => lookups.length).toBe(1);
  // A real click waits for a button that is enabled and does not scroll by.
  await lookupButton(page).dispatchEvent('click');
  expect(lookups).toEqual([{ discord_id: ids.ordinary, proof: expect.stringMatching(/^ey/) }]);
  const text: unknown = expect.any(String);
  const number: unknown = expect.any(Number);
  expect(JSON.parse(atob(lookups[0]?.['proof'] ?? ''))).toEqual({
    algorithm: 'SHA-256',
    challenge: text,
    number,
    salt: text,
    signature: text,
    took: number,
  });
});

/** What has the focus when the card is painted, if the visitor goes somewhere right before. */
const focusedWithCard = (page: Page, goesTo = ''): Promise<string | undefined> =>
  page.evaluate(
    (selector) =>
      new Promise((done) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('article h2') === null) return;
          observer.disconnect();
          if (selector !== '') document.querySelector<HTMLElement>(selector)?.focus();
          requestAnimationFrame(() => {
            const { activeElement } = document;
            done(activeElement?.textContent || activeElement?.tagName);
          });
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
    goesTo,
  );

test('a visitor who goes to the field as the card of a link comes stays there', async ({ page }) => {
  const release = await holdUntilReleased(page, '/lookup');
  await page.goto(`/?id=${ids.ordinary}`);
  const focused = focusedWithCard(page, 'input[name=id]');
  release();
  expect(await focused).toBe('INPUT');
});

test('§2, 38–41, 136–138 a found profile is shown below the form and has the focus at once; a new lookup clears what was there', async ({
  page,
  problems,
}) => {
  problems.expect(/status of (?:404|500) .*\/lookup$/);
  await page.goto('/');
  // Before it is painted: later the visitor may be in the field again.
  const focused = focusedWithCard(page);
  await submitId(page, ids.ordinary);
  expect(await focused).toBe('Marlow Finch');
  const answers = page.locator('article, [role=alert]');
  const expectAnswer = async (kind: Locator): Promise<void> => {
    await expect(kind).toBeVisible();
    await expect(answers).toHaveCount(1);
    const [form, result] = await Promise.all([idField(page).boundingBox(), kind.boundingBox()]);
    expect(result?.y).toBeGreaterThan(form?.y ?? Infinity);
  };
  await expectAnswer(card(page));

  const expectClearedBy = async (id: string, { status }: { status: number }): Promise<void> => {
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
  };
  await expectClearedBy(ids.nobody, { status: 404 });
  await expectClearedBy(ids.bot, { status: 500 });
  await expectClearedBy(ids.tag, { status: 500 });
});

test('a lookup that is cancelled says so, and hears no late answer', async ({ page }) => {
  const cancelled = page.getByRole('status').filter({ hasText: 'Lookup cancelled.' });
  await lookUp(page, ids.ordinary);
  await expect(card(page)).toContainText('Marlow Finch');
  const releaseChallenge = await holdUntilReleased(page, '/challenge');
  await submitId(page, ids.bot);
  await expect(captcha(page)).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(cancelled).toHaveCount(1);
  await expect(card(page)).toHaveCount(0);
  await expect(idField(page)).toHaveValue(ids.bot);
  releaseChallenge();
  const release = await holdUntilReleased(page, '/lookup');
  for (const way of ['Escape', 'Cancel'] as const) {
    const sent = page.waitForRequest('/lookup');
    const aborted = page.waitForEvent('requestfailed');
    await lookupButton(page).click();
    await sent;
    await (way === 'Escape'
      ? page.keyboard.press('Escape')
      : page.getByRole('button', { name: 'Cancel' }).click());
    await aborted;
    await expect(cancelled).toHaveCount(1);
    await expect(lookupButton(page)).toHaveText('Lookup');
    await expect(lookupButton(page)).toBeFocused();
  }
  release();
  await expect(card(page)).toHaveCount(0);
  await lookupButton(page).click();
  await expect(card(page)).toContainText('Snowplough');
});
