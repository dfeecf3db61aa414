import type { Locator, Page, Route } from '@playwright/test';
import { startAppProcess } from '#test/support/app-process.ts';
import { expect, test } from './support/browser-test.ts';
import { challengeEndlessly, easyChallenge, endlessChallenge } from './support/challenges.ts';
import { leave, WAYS_OUT } from './support/dialogs.ts';
import { goToInteractive } from './support/interactive.ts';
import { captcha, card, idField, ids, lookUp, lookupButton, submitId } from './support/lookup-page.ts';
import {
  answer,
  answerInOrder,
  callsFrom,
  hold,
  holdUntilReleased,
  sentTo,
} from './support/server-answers.ts';
import { watchWorkers } from './support/watch-workers.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const FAILED = 'Verification failed. Please try again.';
const VERIFYING = 'Verifying... please wait.';
const WIDGET_SCRIPT = /altcha-widget.*\.js/;

const widget = (page: Page): Locator => page.locator('altcha-widget');
const problemIn = (page: Page): Locator => captcha(page).getByRole('alert');
const retry = (page: Page): Locator => captcha(page).getByRole('button', { name: 'Try again' });
const expectNoWorkers = (page: Page): Promise<void> => expect.poll(() => page.workers().length).toBe(0);
const expectProfile = (page: Page): Promise<void> => expect(card(page)).toContainText('Marlow Finch');
const expectState = (page: Page, state: string | RegExp): Promise<void> =>
  expect(widget(page).locator('.altcha')).toHaveAttribute('data-state', state);

/** Fills in the ID and waits until its proof is there: the workers of the search came and went. */
const fillAndSolve = async (page: Page, id: string): Promise<void> => {
  const search = page.waitForEvent('worker');
  await idField(page).fill(id);
  await search;
  await expectNoWorkers(page);
};

/** The dialog says the sentence and offers to retry, which leads to the profile once the server gives challenges. */
const expectRecovery = async (page: Page, sentence: string): Promise<void> => {
  await expect(problemIn(page)).toHaveText(sentence);
  await page.unroute('/challenge');
  await retry(page).click();
  await expectProfile(page);
};

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
  const progress = captcha(page).getByRole('progressbar', { name: 'Captcha progress' });
  await expect.poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.value)).toBeGreaterThan(0);
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
  await expect(problemIn(page)).toHaveText(LATE);
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

test('a site that says so paints the captcha for every proof, also for one that is at hand', async ({
  page,
}) => {
  await using app = startAppProcess({ CAPTCHA_DIALOG: 'always', POW_MAX_NUMBER: '1000' });
  const lookups = sentTo(page, '/lookup');
  await page.clock.install();
  await page.goto(await app.origin);
  await fillAndSolve(page, ids.ordinary);
  await page.clock.pauseAt(Date.now() + 60_000);
  await lookupButton(page).click();
  await page.clock.runFor(390);
  await expectState(page, 'verified');
  expect(lookups).toEqual([]);
  await page.clock.runFor(20);
  await expect.poll(() => lookups.length).toBe(1);
  // Before its server.
  await page.close();
});

const NO_PAYLOAD = 'Verification did not return a token. Please retry.';

test('§75, 165–167 a widget that fails is quoted, or spoken for if it has no words', async ({ page }) => {
  await challengeEndlessly(page);
  await lookUp(page, ids.ordinary);
  await expectState(page, 'verifying');
  for (const [type, detail, sentence] of [
    ['error', { message: 'The dog ate it.' }, 'The dog ate it.'],
    ['error', null, FAILED],
    ['verified', { payload: '' }, NO_PAYLOAD],
    ['verified', null, NO_PAYLOAD],
  ] as const) {
    await widget(page).evaluate(
      (element, [name, what]) => element.dispatchEvent(new CustomEvent(name, { detail: what })),
      [type, detail] as const,
    );
    await expect(problemIn(page)).toHaveText(sentence);
  }
  await expectRecovery(page, NO_PAYLOAD);
});

test('§153, 156, 216 a challenge that expires says so, stops the work, and can be retried', async ({
  page,
}) => {
  await page.clock.install();
  await challengeEndlessly(page, { expiresInSeconds: 15 });
  await lookUp(page, ids.ordinary);
  // A slow machine may take the 15 s to get here.
  await expectState(page, /verifying|expired/);
  await page.clock.fastForward(15_000);
  await expectState(page, 'expired');
  await expect(widget(page)).toContainText('Verification expired. Try again.');
  await expectNoWorkers(page);
  await expectRecovery(page, 'Verification expired. Try again.');
});

test('§154–155 a solved challenge that expires is fetched again, unless that is forbidden', async ({
  page,
}) => {
  // So the widget is done and stays on the page, because the dialog does not hear of it.
  await page.addInitScript(() =>
    addEventListener('verified', (event) => event.stopImmediatePropagation(), true),
  );
  for (const forbids of [true, false]) {
    await page.clock.install();
    const headers = forbids ? { 'x-altcha-config': '{"refetchonexpire":false}' } : {};
    const reply = { json: easyChallenge(), headers };
    const { promise: painted, resolve: notePainted } = Promise.withResolvers<void>();
    const replyLater = (route: Route): Promise<void> => painted.then(() => route.fulfill(reply));
    await page.route('/challenge', replyLater, { times: 1 });
    await lookUp(page, ids.ordinary);
    await expectState(page, 'verifying');
    notePainted();
    await expectState(page, 'verified');
    const fetchedAgain = forbids ? undefined : page.waitForRequest('/challenge');
    await page.clock.fastForward(300_000);
    if (forbids) await expectState(page, 'expired');
    await fetchedAgain;
  }
});

const valid = endlessChallenge();
const BUSY = {
  error: 'We can’t do this right now. Try again in a moment.',
  code: 'store-unavailable',
};
// A code to be read from a picture or heard: this site has no way to check one.
const codeChallenge = { image: 'data:image/png;base64,', audio: '/audio' };

const BAD_CHALLENGES: readonly (readonly [RegExp, Parameters<Route['fulfill']>[0] | 'none', string])[] = [
  [/503/, { status: 503, json: BUSY }, BUSY.error],
  [/502/, { status: 502, body: '<h1>Bad gateway</h1>' }, FAILED],
  [/422/, { json: { ...valid, signature: undefined } }, FAILED],
  [
    /422/,
    { headers: { 'x-altcha-config': '{"verifyurl":"/verify"}' }, json: { ...valid, codeChallenge } },
    FAILED,
  ],
  [/Failed to fetch/, 'none', FAILED],
];

test('§152, 158, 215 a challenge that is none is reported, and can be retried', async ({
  page,
  problems,
}) => {
  problems.expect(/./);
  await answer(page, '/challenge', { status: 500 });
  await lookUp(page, ids.ordinary);
  for (const [logged, reply, sentence] of BAD_CHALLENGES) {
    await expect(retry(page)).toBeVisible();
    await page.unroute('/challenge');
    await page.route('/challenge', (route) => (reply === 'none' ? route.abort() : route.fulfill(reply)));
    const told = page.waitForEvent('console', (message) => logged.test(message.text()));
    await retry(page).click();
    await told;
    await expect(problemIn(page)).toHaveText(sentence);
    await expectState(page, 'error');
    await expect(page.getByText('Verification failed. Try again later.')).toBeVisible();
  }
  await expectRecovery(page, FAILED);
});

test('a challenge that is refused counts down; one that never comes is given up', async ({
  page,
  problems,
}) => {
  problems.expect(/429/);
  await page.clock.install();
  const json = { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 60 };
  await answer(page, '/challenge', { status: 429, json });
  await lookUp(page, ids.ordinary);
  await expect(problemIn(page)).toContainText(json.error);
  await expect(retry(page)).toHaveText(/^(?:1:00|\d\d)/);
  await expect(retry(page)).toHaveAttribute('aria-disabled', 'true');
  await page.clock.fastForward(60_000);
  await expect(retry(page)).toBeEnabled();
  await page.unroute('/challenge');
  await hold(page, '/challenge');
  await retry(page).click();
  await expect(page.getByRole('checkbox', { name: VERIFYING })).toBeVisible();
  await page.clock.fastForward(20_000);
  await expectRecovery(page, FAILED);
});

test('§188, 203 a server may configure the widget in a header, also who verifies', async ({ page }) => {
  const config = { workers: 1, maxnumber: 100, verifyurl: '/verify' };
  const { maxnumber: _, ...json } = easyChallenge();
  await page.route('/challenge', (route) =>
    route.fulfill({ json, headers: { 'x-altcha-config': JSON.stringify(config) } }),
  );
  const verified = await answerInOrder(page, '/verify', { status: 200, json: { payload: 'approved' } });
  const lookups = await answerInOrder(page, '/lookup', { status: 200, json: { username: 'nelly' } });
  await lookUp(page, ids.ordinary);
  await expect(card(page)).toContainText('nelly');
  expect(verified).toEqual([{ payload: expect.stringMatching(/^ey/) }]);
  expect(lookups).toMatchObject([{ proof: 'approved' }]);
});

test('§170, 224, 226–227 as many workers search as there are cores, 16 at most, 8 if unknown', async ({
  page,
}) => {
  await challengeEndlessly(page, { algorithm: 'SHA-384' });
  await page.goto('/');
  for (const [cores, workers] of [
    [32, 16],
    [3, 3],
    [undefined, 8],
  ]) {
    await page.evaluate(
      (value) => Object.defineProperty(navigator, 'hardwareConcurrency', { value, configurable: true }),
      cores,
    );
    await submitId(page, ids.ordinary);
    await expectState(page, 'verifying');
    await expect.poll(() => page.workers().length).toBe(workers);
    // Of a worker that is ended while it starts the browser tells no end.
    await Promise.all(page.workers().map((worker) => worker.evaluate(() => {}).catch(() => {})));
    await page.keyboard.press('Escape');
    await expectNoWorkers(page);
  }
});

test('§185 no challenge is asked for what is no ID', async ({ page }) => {
  const calls = callsFrom(page);
  await page.goto('/');
  for (const [text, note] of [
    ['44199', /digits/],
    ['9223372036854775807', /future/],
  ] as const) {
    await idField(page).fill(text);
    await expect(page.getByRole('status').filter({ hasText: note })).toBeVisible();
  }
  expect(calls).toEqual([]);
});

test('a challenge that was refused or has expired by the press is asked for again', async ({
  page,
  problems,
}) => {
  problems.expect(/503/);
  await page.clock.install();
  await page.route('/challenge', (route) => route.fulfill({ status: 503, json: BUSY }), { times: 1 });
  await page.goto('/');
  const refused = page.waitForResponse('/challenge');
  await idField(page).fill(ids.ordinary);
  await refused;
  await expect(page.getByRole('alert')).toHaveCount(0);
  await lookupButton(page).click();
  await expectProfile(page);
  await fillAndSolve(page, ids.bot);
  await page.clock.fastForward(295_000);
  const fresh = page.waitForRequest('/challenge');
  await lookupButton(page).click();
  await fresh;
  await page.clock.setSystemTime(Date.now());
  await expect(card(page)).toContainText('Snowplough');
});
