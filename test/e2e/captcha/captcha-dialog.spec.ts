import type { Page } from '@playwright/test';
import { challengeEndlesslyOnce, challengeWith, endlessChallenge } from '../support/challenges.ts';
import { expect, test } from '../support/browser-test.ts';
import { captcha, card, idField, ids, lookUp, lookupButton } from '../support/lookup-page.ts';
import { answer, hold, holdUntilReleased, sentTo } from '../support/server-answers.ts';
import { expectProfile, expectSolving, WIDGET_SCRIPT } from './widget.ts';

test.describe('the captcha of a lookup', () => {
  test.beforeEach(async ({ page }) => {
    await hold(page, '/challenge');
    await lookUp(page, ids.ordinary);
  });

  test('has a title, says what it is for, and can be closed', async ({ page }) => {
    await expect.soft(captcha(page).getByRole('heading', { name: 'Captcha', exact: true })).toBeVisible();
    await expect.soft(captcha(page)).toContainText('to keep bots out');
    await expect.soft(captcha(page).getByRole('button', { name: 'Close' })).toBeVisible();
  });

  test('starts by itself and says that it verifies, also to screen readers', async ({ page }) => {
    const text = 'Verifying... please wait.';
    await expect.soft(captcha(page).getByRole('checkbox', { name: text })).toBeVisible();
    await expect.soft(captcha(page).getByText(text).first()).toBeVisible();
    await expect.soft(captcha(page).getByRole('status')).toHaveText(text);
  });

  test('shows neither the footer nor the logo of the widget', async ({ page }) => {
    await expect(captcha(page).getByRole('checkbox')).toBeVisible();
    await expect.soft(captcha(page).locator('.altcha-footer, .altcha-logo')).toHaveCount(0);
    await expect.soft(captcha(page).getByText(/protected by/i)).toHaveCount(0);
  });
});

const waysOut: Record<string, (page: Page) => Promise<void>> = {
  Escape: (page) => page.keyboard.press('Escape'),
  Cancel: (page) => page.getByRole('button', { name: 'Cancel' }).click(),
  'the cross': (page) => page.getByRole('button', { name: 'Close' }).click(),
};

for (const [name, leave] of Object.entries(waysOut)) {
  test(`${name} closes the captcha and gives the focus back`, async ({ page }) => {
    await hold(page, '/challenge');
    await page.goto('/');
    await idField(page).fill(ids.ordinary);
    await lookupButton(page).click();
    await expect(captcha(page)).toBeVisible();
    await leave(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(lookupButton(page)).toBeFocused();
  });
}

test('a press beside the captcha does not close it', async ({ page }) => {
  await hold(page, '/challenge');
  await lookUp(page, ids.ordinary);
  await expect(captcha(page).getByRole('button', { name: 'Cancel' })).toBeEnabled();
  await page.mouse.click(5, 5);
  await expect(captcha(page)).toBeVisible();
});

test('a proof that was used before is replaced by a new one without asking the visitor', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 403 .*\/lookup$/);
  const refusal = { error: 'This proof was used before.', code: 'proof-used' };
  await page.route('/lookup', (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 });
  await lookUp(page, ids.ordinary);
  await expect(card(page)).toBeVisible();
});

test('a visitor who cancels while it solves ends all work, and nothing comes after', async ({ page }) => {
  await answer(page, '/challenge', { status: 200, json: endlessChallenge() });
  const lookups = sentTo(page, '/lookup');
  await lookUp(page, ids.ordinary);
  await expectSolving(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => page.workers().length).toBe(0);
  await expect(page.locator('[role=alert]')).toHaveCount(0);
  await expect(idField(page)).toHaveValue(ids.ordinary);
  expect(lookups).toEqual([]);
});

test('a visitor who cancels while the widget loads does not see it any more', async ({ page }) => {
  const release = await holdUntilReleased(page, WIDGET_SCRIPT);
  await lookUp(page, ids.ordinary);
  await page.getByRole('button', { name: 'Cancel' }).click();
  const loaded = page.waitForResponse(WIDGET_SCRIPT);
  release();
  await loaded;
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await lookupButton(page).click();
  await expectProfile(page);
});

test('a captcha that is closed at the moment it starts ends without a message', async ({ page }) => {
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('altcha-widget .altcha') === null) return;
      observer.disconnect();
      document.querySelector('dialog[open]')?.dispatchEvent(new Event('cancel', { cancelable: true }));
    });
    observer.observe(document, { subtree: true, childList: true });
  });
  await lookUp(page, ids.ordinary);
  await expect(page.locator('altcha-widget')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await lookupButton(page).click();
  await expectProfile(page);
  await expect.poll(() => page.workers().length).toBe(0);
});

test('a captcha that is closed and opened again solves the new challenge only', async ({ page }) => {
  const lookups = sentTo(page, '/lookup');
  await challengeEndlesslyOnce(page);
  await lookUp(page, ids.ordinary);
  await expectSolving(page);
  await page.keyboard.press('Escape');
  await lookupButton(page).click();
  await expectProfile(page);
  expect(lookups).toHaveLength(1);
});

test('a closed captcha takes its widget away, and the next one starts from the beginning', async ({
  page,
}) => {
  await challengeWith(page, () => endlessChallenge());
  await lookUp(page, ids.ordinary);
  await expectSolving(page);
  await captcha(page).getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => page.workers().length).toBe(0);
  await expect(page.locator('altcha-widget')).toHaveCount(0);
  await page.unroute('/challenge');
  await lookupButton(page).click();
  await expect(card(page)).toBeVisible();
});

test('a page that comes back out of the back/forward cache solves a new challenge', async ({ page }) => {
  await challengeEndlesslyOnce(page);
  await lookUp(page, ids.ordinary);
  await expectSolving(page);
  // Playwright loses a page that is really restored, so the page is told that it was.
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expectProfile(page);
});
