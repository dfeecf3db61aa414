import type { Route } from '@playwright/test';
import { expect, test } from './support/browser-test.ts';
import {
  expectNoWorkers,
  expectProblem,
  expectRecovery,
  expectState,
  expectProfile,
  FAILED,
  fillAndSolve,
  problemIn,
  retry,
  VERIFYING,
  widget,
} from './support/captcha.ts';
import { challengeEndlessly, easyChallenge, endlessChallenge } from './support/challenges.ts';
import { card, idField, ids, lookUp, lookupButton } from './support/lookup-page.ts';
import { answer, answerInOrder, hold } from './support/server-answers.ts';

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
    await expectProblem(page, sentence);
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

const BUSY = {
  error: 'We can’t do this right now. Try again in a moment.',
  code: 'store-unavailable',
};
// A code to be read from a picture or heard: this site has no way to check one.
const codeChallenge = { image: 'data:image/png;base64,', audio: '/audio' };

const BAD_CHALLENGES: readonly (readonly [RegExp, Parameters<Route['fulfill']>[0] | 'none', string])[] = [
  [/503/, { status: 503, json: BUSY }, BUSY.error],
  [/502/, { status: 502, body: '<h1>Bad gateway</h1>' }, FAILED],
  [/422/, { json: { ...endlessChallenge(), codeChallenge } }, FAILED],
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
    await expectProblem(page, sentence);
    await expectState(page, 'error');
    await expect(widget(page)).toContainText('Verification failed. Try again later.');
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
