import type { Page } from '@playwright/test';
import { startAppProcess } from '#test/support/app-process.ts';
import { expect, test } from './support/browser-test.ts';
import {
  expectNoWorkers,
  expectProblem,
  expectProfile,
  expectState,
  FAILED,
  fillAndSolve,
  problemIn,
  retry,
  VERIFYING,
  widget,
} from './support/captcha.ts';
import { challengeEndlessly, endlessChallenge } from './support/challenges.ts';
import { leave, WAYS_OUT } from './support/dialogs.ts';
import { goToInteractive } from './support/interactive.ts';
import { captcha, idField, ids, lookUp, lookupButton, submitId } from './support/lookup-page.ts';
import { answer, callsFrom, hold, holdUntilReleased, sentTo } from './support/server-answers.ts';
import { watchWorkers } from './support/watch-workers.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const WIDGET_SCRIPT = /altcha-widget.*\.js/;

const expectPainted = (page: Page, opacity: '0' | '1'): Promise<void> =>
  expect
    .poll(() =>
      captcha(page).evaluate((dialog) =>
        [undefined, '::backdrop'].map((part) => getComputedStyle(dialog, part).opacity),
      ),
    )
    .toEqual([opacity, opacity]);

/** From here on no time passes in the page but what the test lets pass. */
const openPaused = async (page: Page): Promise<void> => {
  await page.clock.install();
  await goToInteractive(page, '/', 'app');
  await page.clock.pauseAt(Date.now() + 3_600_000);
};

test('§67, 69–74, 149, 217 the captcha starts by itself, and can be left in three ways', async ({ page }) => {
  await hold(page, '/challenge');
  await lookUp(page, ids.ordinary);
  await expect.soft(captcha(page).getByRole('heading', { name: 'Captcha', exact: true })).toBeVisible();
  await expect.soft(captcha(page)).toContainText('keeps automated requests out');
  await expect.soft(captcha(page).getByRole('checkbox', { name: VERIFYING })).toBeVisible();
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    const [field, dialog] = await Promise.all([idField(page).boundingBox(), captcha(page).boundingBox()]);
    expect
      .soft((field?.y ?? 0) + (field?.height ?? 0), 'the field is not covered')
      .toBeLessThan(dialog?.y ?? 0);
  }
  await expect.soft(captcha(page).getByRole('status')).toHaveText(VERIFYING);
  await expect.soft(captcha(page).locator('.altcha-footer, .altcha-logo')).toHaveCount(0);
  await expect.soft(captcha(page).getByText(/protected by/i)).toHaveCount(0);
  for (const way of WAYS_OUT) {
    await expect(captcha(page).getByRole('button', { name: 'Cancel' })).toBeEnabled();
    await page.mouse.click(5, 5);
    await expect(captcha(page)).toBeVisible();
    await leave(page, captcha(page), way);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await lookupButton(page).click();
  }
});

test('§151 the captcha is open at once, painted after 0.25 s, and for 0.4 s at least', async ({ page }) => {
  const lookups = sentTo(page, '/lookup');
  const release = await holdUntilReleased(page, '/challenge');
  await openPaused(page);
  await submitId(page, ids.ordinary);
  await expect(captcha(page)).toBeFocused();
  await page.clock.runFor(249);
  await expectPainted(page, '0');
  await page.clock.runFor(1);
  await expectPainted(page, '1');
  // The widget takes the search over.
  await page.clock.runFor(99);
  await expectState(page, 'verifying');
  release();
  await expectState(page, 'verified');
  await page.clock.runFor(300);
  expect(lookups).toEqual([]);
  await expect(captcha(page)).toBeVisible();
  await page.clock.runFor(1);
  await expect.poll(() => lookups.length).toBe(1);
  await page.clock.resume();
  await expectProfile(page);
});

test('a proof that is found before the press is sent without a captcha to be seen', async ({ page }) => {
  const calls = callsFrom(page);
  await page.addInitScript(watchWorkers);
  await page.clock.install();
  await page.goto('/');
  await fillAndSolve(page, ids.ordinary);
  expect(await page.evaluate('found')).toEqual([expect.objectContaining({ simd: true })]);
  await page.clock.pauseAt(Date.now() + 60_000);
  await lookupButton(page).click();
  // Had it been painted, it would be there for longer.
  await page.clock.runFor(200);
  await expect.poll(() => calls).toEqual(['/challenge', '/lookup']);
  await page.clock.resume();
  await expectProfile(page);
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect(page.getByText(/^Verified by proof of work in \d+(\.\d+)?\ss$/)).toBeVisible();
});

test('§157 a captcha that is closed ends all its work, and the next begins anew', async ({ page }) => {
  await answer(page, '/challenge', { status: 200, json: endlessChallenge() });
  const lookups = sentTo(page, '/lookup');
  await lookUp(page, ids.ordinary);
  await expect.poll(() => page.workers().length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('dialog, altcha-widget, [role=alert]')).toHaveCount(0);
  await expectNoWorkers(page);
  expect(lookups).toEqual([]);
  await page.unroute('/challenge');
  await lookupButton(page).click();
  await expectProfile(page);
  expect(lookups).toHaveLength(1);
});

test('a captcha that is closed at the moment its widget starts ends without a message', async ({ page }) => {
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('altcha-widget .altcha') === null) return;
      observer.disconnect();
      document.querySelector('dialog[open]')?.dispatchEvent(new Event('cancel', { cancelable: true }));
    });
    observer.observe(document, { subtree: true, childList: true });
  });
  await hold(page, '/challenge');
  await lookUp(page, ids.ordinary);
  await expect(page.getByRole('status').filter({ hasText: 'Lookup cancelled.' })).toHaveCount(1);
  await expect(page.locator('dialog, altcha-widget')).toHaveCount(0);
  await page.unroute('/challenge');
  await lookupButton(page).click();
  await expectProfile(page);
});

test('a proof that lay in the cache of the browser is replaced by itself', async ({ page }) => {
  await challengeEndlessly(page, { times: 1 });
  await lookUp(page, ids.ordinary);
  await expectState(page, 'verifying');
  // Playwright loses a page that is really restored, so the page is told that it was.
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expectProfile(page);
});

const LATE = 'captcha widget took too long to load. Check your connection and retry.';

test('§168, 221 a widget that takes 1.2 s to load is reported, and starts when it comes', async ({
  page,
}) => {
  const release = await holdUntilReleased(page, WIDGET_SCRIPT);
  const releaseChallenge = await holdUntilReleased(page, '/challenge');
  await openPaused(page);
  await submitId(page, ids.ordinary);
  await expect(captcha(page)).toContainText('Loading…');
  await page.clock.runFor(1_199);
  await expect(problemIn(page)).toHaveCount(0);
  await page.clock.runFor(1);
  await expectProblem(page, LATE);
  await page.clock.resume();
  release();
  await expectState(page, 'verifying');
  releaseChallenge();
  await expectProfile(page);
});

test('§218 a widget or a worker that cannot be loaded is loaded at the next try', async ({
  page,
  problems,
}) => {
  problems.expect(/ERR_FAILED .*altcha-widget|status of 404 .*sha256-worker|Unexpected result returned/);
  await page.route(WIDGET_SCRIPT, (route) => route.abort());
  await page.route(/sha256-worker/, (route) => route.fulfill({ status: 404 }));
  await lookUp(page, ids.ordinary);
  await expect(problemIn(page)).toHaveText(LATE);
  await page.unroute(WIDGET_SCRIPT);
  await retry(page).click();
  await expect(problemIn(page)).toHaveText(FAILED);
  await expect(widget(page)).toContainText("I'm not a robot");
  await page.unroute(/sha256-worker/);
  await retry(page).click();
  await expectProfile(page);
});

test('a site that says so paints the captcha for every proof, and for a second at least', async ({
  page,
}) => {
  await using app = startAppProcess({ CAPTCHA_DIALOG: 'always', POW_MAX_NUMBER: '1000' });
  const lookups = sentTo(page, '/lookup');
  await page.clock.install();
  await page.goto(await app.origin);
  await fillAndSolve(page, ids.ordinary);
  await page.clock.pauseAt(Date.now() + 60_000);
  await lookupButton(page).click();
  await page.clock.runFor(990);
  await expectState(page, 'verified');
  expect(lookups).toEqual([]);
  await page.clock.runFor(20);
  await expect.poll(() => lookups.length).toBe(1);
  // Before its server.
  await page.close();
});
