import type { Page } from '@playwright/test';
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
import { answer, hold, sentTo } from '../support/server-answers.ts';

test.describe('the lookup page', () => {
  test.beforeEach(({ page }) => page.goto('/'));

  test('asks for a Discord ID in a required field for digits, with a submit button named Lookup', async ({
    page,
  }) => {
    const field = page.getByRole('textbox', { name: 'Discord ID', exact: true });
    await expect.soft(field).toBeEditable();
    await expect.soft(field).toHaveAttribute('inputmode', 'numeric');
    await expect.soft(field).toHaveAttribute('required');
    await expect.soft(field).toHaveAttribute('placeholder', '000000000000000000');
    await expect.soft(lookupButton(page)).toHaveText('Lookup');
    await expect.soft(lookupButton(page)).toHaveAttribute('type', 'submit');
  });

  test('links to the explanation of token donations', async ({ page }) => {
    const link = page.getByRole('link', { name: 'How token donations work' });
    await expect(link).toHaveAttribute('href', '/token-donation');
  });

  test('asks for money and for bot tokens in a banner, with a link to the donation page', async ({
    page,
  }) => {
    const banner = page.getByRole('complementary', { name: 'Support' });
    await expect.soft(banner).toContainText('runs on donations');
    await expect.soft(banner).toContainText('donated bot tokens');
    await expect.soft(banner.getByRole('link', { name: 'Support us' })).toHaveAttribute('href', '/donate');
  });
});

test('nothing is sent before the captcha is solved, then the trimmed ID with the proof', async ({ page }) => {
  const lookups = sentTo(page, '/lookup');
  await hold(page, '/challenge');
  await lookUp(page, `\t${ids.ordinary} `);
  await expect(captcha(page)).toBeVisible();
  expect(lookups).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(captcha(page)).toHaveCount(0);
  // Only now: taking the route away lets what it held go on.
  await page.unroute('/challenge');
  await lookupButton(page).click();
  await expect(card(page)).toBeVisible();
  expect(lookups).toEqual([{ discord_id: ids.ordinary, proof: expect.stringMatching(/^ey/) }]);
  const { number } = JSON.parse(atob(lookups[0]?.['proof'] ?? '')) as { number: unknown };
  expect(number).toEqual(expect.any(Number));
});

test('while a lookup runs the captcha is gone, and the button says so and sends no second one', async ({
  page,
}) => {
  const lookups = sentTo(page, '/lookup');
  await hold(page, '/lookup');
  await lookUp(page, ids.ordinary);
  await expect(lookupButton(page)).toHaveText('Looking up…');
  await expect(lookupButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(captcha(page)).toHaveCount(0);
  await expect.poll(() => lookups.length).toBe(1);
  // A real click waits for a button that is enabled and does not scroll by.
  await lookupButton(page).dispatchEvent('click');
  expect(lookups).toHaveLength(1);
});

test('a found profile is shown below the form, without any message', async ({ page }) => {
  await lookUp(page, ids.ordinary);
  await expect(card(page)).toBeVisible();
  await expect(alert(page)).toHaveCount(0);
  const [form, result] = await Promise.all([idField(page).boundingBox(), card(page).boundingBox()]);
  expect(result?.y).toBeGreaterThan(form?.y ?? 0);
});

const expectClearedByNextLookup = async (page: Page): Promise<void> => {
  // Not the captcha: a proof that was solved ahead may open and close it at once.
  await hold(page, '/lookup');
  // Another ID: the same one, at once, may be the second half of a double press.
  await submitId(page, ids.animated);
  await expect(lookupButton(page)).toHaveText('Looking up…');
  await expect(card(page)).toHaveCount(0);
  await expect(page.locator('[role=alert]')).toHaveCount(0);
};

test('the focus goes to a profile when it appears, not later, when the visitor may be in the field again', async ({
  page,
}) => {
  await page.goto('/');
  const focused = page.evaluate(
    () =>
      new Promise<string | undefined>((done) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('article h2') === null) return;
          observer.disconnect();
          done(document.activeElement?.textContent);
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
  );
  await submitId(page, ids.ordinary);
  expect(await focused).toBe('Marlow Finch');
});

test('a new lookup clears the profile of the last one', async ({ page }) => {
  await lookUp(page, ids.ordinary);
  await expect(card(page)).toBeVisible();
  await expectClearedByNextLookup(page);
});

test('a new lookup clears the warning that there is no profile', async ({ page, problems }) => {
  problems.expect(/status of 404 .*\/lookup$/);
  await lookUp(page, ids.nobody);
  await expect(alert(page)).toContainText('No profile was found');
  await expectClearedByNextLookup(page);
});

test('a new lookup clears the error of the last one', async ({ page, problems }) => {
  problems.expect(/status of 500 .*\/lookup$/);
  await answer(page, '/lookup', { status: 500, json: { error: 'It broke.' } });
  await lookUp(page, ids.ordinary);
  await expect(alert(page)).toContainText('It broke.');
  await expectClearedByNextLookup(page);
});
