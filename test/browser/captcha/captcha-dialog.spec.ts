import type { Page } from '@playwright/test';
import { startAppProcess } from '#test/support/app-process.ts';
import { endlessChallenge, challengeEndlessly } from '../support/challenges.ts';
import { expect, test } from '../support/browser-test.ts';
import { WAYS_OUT, leave } from '../support/dialogs.ts';
import { captcha, card, idField, ids, lookUp, lookupButton, submitId } from '../support/lookup-page.ts';
import { answer, hold, holdUntilReleased, sentTo } from '../support/server-answers.ts';
import { expectProfile, expectSolving, expectState, fillAndSolve, WIDGET_SCRIPT } from './widget.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('§67, 69–74, 149, 217 the captcha of a lookup says what it is for, starts by itself, and can be left in three ways', async ({
  page,
}) => {
  const verifying = 'Verifying... please wait.';
  await hold(page, '/challenge');
  await page.goto('/');
  await idField(page).fill(ids.ordinary);
  await lookupButton(page).click();
  await expect.soft(captcha(page).getByRole('heading', { name: 'Captcha', exact: true })).toBeVisible();
  await expect.soft(captcha(page)).toContainText('keeps automated requests out');
  await expect.soft(captcha(page).getByRole('checkbox', { name: verifying })).toBeVisible();
  await expect.soft(captcha(page).getByRole('status')).toHaveText(verifying);
  await expect.soft(captcha(page).locator('.altcha-footer, .altcha-logo')).toHaveCount(0);
  await expect.soft(captcha(page).getByText(/protected by/i)).toHaveCount(0);
  for (const way of WAYS_OUT) {
    await expect(captcha(page).getByRole('button', { name: 'Cancel' })).toBeEnabled();
    await page.mouse.click(5, 5);
    await expect(captcha(page)).toBeVisible();
    await leave(page, captcha(page), way);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(lookupButton(page)).toBeFocused();
    await lookupButton(page).click();
  }
});

const opacities = (page: Page): Promise<string[]> =>
  captcha(page).evaluate((dialog) =>
    [undefined, '::backdrop'].map((part) => getComputedStyle(dialog, part).opacity),
  );
const UNSEEN = ['0', '0'];
const SEEN = ['1', '1'];

const pauseClock = async (page: Page): Promise<void> => {
  await page.clock.install();
  await page.goto('/');
  await page.clock.pauseAt(Date.now() + 3_600_000);
};

test('§151 the captcha is open at once, painted from 0.25 s on, and then for 0.4 s at least', async ({
  page,
}) => {
  const lookups = sentTo(page, '/lookup');
  const release = await holdUntilReleased(page, '/challenge');
  await pauseClock(page);
  await submitId(page, ids.ordinary);
  await expect(captcha(page)).toBeFocused();
  await page.clock.runFor(249);
  expect(await opacities(page)).toEqual(UNSEEN);
  await page.clock.runFor(1);
  await expect.poll(() => opacities(page)).toEqual(SEEN);
  release();
  await expectState(page, 'verified');
  await page.clock.runFor(399);
  expect(lookups).toEqual([]);
  await expect(captcha(page)).toBeVisible();
  await page.clock.runFor(1);
  await expect.poll(() => lookups.length).toBe(1);
  await page.clock.resume();
  await expectProfile(page);
});

test('a captcha that is solved sooner is not painted, and the answer tells of it', async ({ page }) => {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      const dialog = document.querySelector('dialog[open]');
      if (dialog) seen.push(getComputedStyle(dialog).opacity);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  const lookups = sentTo(page, '/lookup');
  await page.clock.install();
  await page.goto('/');
  await fillAndSolve(page, ids.ordinary);
  await page.clock.pauseAt(Date.now() + 60_000);
  await lookupButton(page).click();
  await page.clock.runFor(200);
  await expect.poll(() => lookups.length).toBe(1);
  await page.clock.resume();
  await expectProfile(page);
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
  expect(new Set(seen)).toEqual(new Set(['0']));
  const line = page.getByText(/^Verified by proof of work in \d+(\.\d+)?\ss$/);
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await line.click();
  await expect(page.getByText('Your browser solved a small puzzle.')).toBeVisible();
  await page.getByRole('link', { name: 'Why a puzzle?' }).click();
  await expect(page.getByRole('heading', { name: 'Why a puzzle?' })).toBeInViewport();
});

test('where the site says so, the captcha is painted for every proof', async ({ page }) => {
  await using app = startAppProcess({ CAPTCHA_DIALOG: 'always', POW_MAX_NUMBER: '1000' });
  const lookups = sentTo(page, '/lookup');
  await page.clock.install();
  await page.goto(await app.origin);
  await fillAndSolve(page, ids.ordinary);
  await page.clock.pauseAt(Date.now() + 60_000);
  await lookupButton(page).click();
  await expect.poll(() => opacities(page)).toEqual(SEEN);
  await page.clock.runFor(390);
  await expectState(page, 'verified');
  expect(lookups).toEqual([]);
  await page.clock.runFor(20);
  await expect.poll(() => lookups.length).toBe(1);
  // Before its server.
  await page.close();
});

test('a captcha that has a problem to report is painted at once', async ({ page, problems }) => {
  problems.expect(/429/);
  const tooMany = { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 40 };
  await answer(page, '/challenge', { status: 429, json: tooMany });
  await pauseClock(page);
  await submitId(page, ids.ordinary);
  // The widget asks in a turn of its own, once it has loaded.
  await expect(async () => {
    await page.clock.runFor(1);
    await expect(captcha(page).getByRole('alert')).toContainText(tooMany.error, { timeout: 100 });
  }).toPass();
  await expect.poll(() => opacities(page)).toEqual(SEEN);
  await expect(captcha(page)).toContainText('keeps automated requests out');
});

test('§157 a captcha that is closed ends all its work, and the next one starts from the beginning', async ({
  page,
}) => {
  await answer(page, '/challenge', { status: 200, json: endlessChallenge() });
  const lookups = sentTo(page, '/lookup');
  await lookUp(page, ids.ordinary);
  await expectSolving(page);
  const progress = captcha(page).getByRole('progressbar', { name: 'Captcha progress' });
  await expect.poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.value)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => page.workers().length).toBe(0);
  await expect(page.locator('[role=alert], altcha-widget')).toHaveCount(0);
  await expect(idField(page)).toHaveValue(ids.ordinary);
  expect(lookups).toEqual([]);
  await page.unroute('/challenge');
  await lookupButton(page).click();
  await expectProfile(page);
  expect(lookups).toHaveLength(1);
});

test('a proof that was used before is replaced without asking the visitor', async ({ page, problems }) => {
  problems.expect(/status of 403 .*\/lookup$/);
  const refusal = { error: 'This proof was used before.', code: 'proof-used' };
  await page.route('/lookup', (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 });
  const lookups = sentTo(page, '/lookup');
  await lookUp(page, ids.ordinary);
  await expect(card(page)).toBeVisible();
  expect(new Set(lookups.map(({ proof }) => proof)).size).toBe(2);
});

test('a captcha that is closed while the widget loads stays closed', async ({ page }) => {
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
  await expect(page.getByRole('status').filter({ hasText: 'Lookup cancelled.' })).toHaveCount(1);
  await expect(page.locator('altcha-widget')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await lookupButton(page).click();
  await expectProfile(page);
  await expect.poll(() => page.workers().length).toBe(0);
});

test('a page that comes back out of the back/forward cache solves a new challenge', async ({ page }) => {
  await challengeEndlessly(page, { times: 1 });
  await lookUp(page, ids.ordinary);
  await expectSolving(page);
  // Playwright loses a page that is really restored, so the page is told that it was.
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expectProfile(page);
});
