import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { challengeEndlessly, easyChallenge } from '../support/challenges.ts';
import { captcha, ids, lookUp, submitId } from '../support/lookup-page.ts';
import { holdUntilReleased } from '../support/server-answers.ts';
import {
  expectProfile,
  expectRecovery,
  expectSolving,
  expectState,
  FAILED,
  problemIn,
  WIDGET_SCRIPT,
} from './widget.ts';

const LATE = 'captcha widget took too long to load. Check your connection and retry.';

test('§168, 221 a widget that has not loaded after 1.2 s is reported as late, and starts when it arrives', async ({
  page,
}) => {
  const release = await holdUntilReleased(page, WIDGET_SCRIPT);
  await page.clock.install();
  await page.goto('/');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await submitId(page, ids.ordinary);
  await expect(captcha(page)).toContainText('Loading…');
  await page.clock.runFor(1_199);
  await expect(problemIn(page)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(problemIn(page)).toHaveText(LATE);
  await page.clock.resume();
  release();
  await expectProfile(page);
});

test('§218 a widget that cannot be loaded, or has no worker, says so and is loaded at the next try', async ({
  page,
  problems,
}) => {
  problems.expect(/ERR_FAILED .*altcha-widget/);
  problems.expect(/status of 404 .*sha256-worker/);
  problems.expect(/Unexpected result returned/);
  await page.route(WIDGET_SCRIPT, (route) => route.abort());
  await page.route(/sha256-worker/, (route) => route.fulfill({ status: 404 }));
  await lookUp(page, ids.ordinary);
  await expect(problemIn(page)).toHaveText(LATE);
  await page.unroute(WIDGET_SCRIPT);
  await captcha(page).getByRole('button', { name: 'Try again' }).click();
  await expect(problemIn(page)).toHaveText(FAILED);
  await expect(page.locator('altcha-widget')).toContainText('Verification failed. Try again later.');
  await expect(page.locator('altcha-widget')).toContainText("I'm not a robot");
  await expect(
    page.locator('altcha-widget').getByText('Verification failed. Try again later.'),
  ).toBeVisible();
  await page.unroute(/sha256-worker/);
  await captcha(page).getByRole('button', { name: 'Try again' }).click();
  await expectProfile(page);
});

const dispatch = (page: Page, type: string, detail: unknown): Promise<unknown> =>
  page
    .locator('altcha-widget')
    .evaluate((widget, [name, what]) => widget.dispatchEvent(new CustomEvent(name, { detail: what })), [
      type,
      detail,
    ] as const);

/** On the page that is open: the widget is at work, then something happens to it, and the dialog says a sentence. */
const expectSentence = async (page: Page, happens: () => Promise<unknown>, words: string): Promise<void> => {
  await submitId(page, ids.ordinary);
  await expectSolving(page);
  await happens();
  await expect(problemIn(page)).toHaveText(words);
};
// Its buttons wait for a second before they can be pressed.
const close = (page: Page): Promise<void> => page.keyboard.press('Escape');

test('§165 a widget that is verified without a proof asks to retry, whatever its event carries', async ({
  page,
}) => {
  const words = 'Verification did not return a token. Please retry.';
  await challengeEndlessly(page);
  await page.goto('/');
  for (const detail of [{}, null, { payload: '' }]) {
    await expectSentence(page, () => dispatch(page, 'verified', detail), words);
    await close(page);
  }
  await expectSentence(page, () => dispatch(page, 'verified', {}), words);
  await expectRecovery(page, words);
});

test('§75, 166–167 an error of the widget is shown in its words, or in ours if it has none', async ({
  page,
}) => {
  await challengeEndlessly(page);
  await page.goto('/');
  await expectSentence(
    page,
    () => dispatch(page, 'error', { message: 'The dog ate it.' }),
    'The dog ate it.',
  );
  await close(page);
  await expectSentence(page, () => dispatch(page, 'error', { error: 'The cat too.' }), 'The cat too.');
  await close(page);
  await expectSentence(page, () => dispatch(page, 'error', null), FAILED);
  await close(page);
  const runOut = (widget: Element): void =>
    (widget as Element & { setState: (state: string, error: string) => void }).setState(
      'error',
      'Out of numbers.',
    );
  await expectSentence(page, () => page.locator('altcha-widget').evaluate(runOut), 'Out of numbers.');
  await expectRecovery(page, 'Out of numbers.');
});

test('§153, 156, 216 a challenge that expires while it is solved says so, stops the work, and can be retried', async ({
  page,
}) => {
  await page.clock.install();
  await challengeEndlessly(page, { expiresInSeconds: 15 });
  await lookUp(page, ids.ordinary);
  // A slow machine may take the 15 s to get here.
  await expect(page.locator('altcha-widget .altcha')).toHaveAttribute('data-state', /verifying|expired/);
  await page.clock.fastForward(15_000);
  await expectState(page, 'expired');
  await expect(page.locator('altcha-widget')).toContainText('Verification expired. Try again.');
  await expect.poll(() => page.workers().length).toBe(0);
  await expectRecovery(page, 'Verification expired. Try again.');
});

/** A widget that is done and stays on the page, because the dialog does not hear of it. */
const verifyUnheard = async (page: Page, headers: Record<string, string>): Promise<void> => {
  await page.clock.install();
  await page.addInitScript(() =>
    addEventListener('verified', (event) => event.stopImmediatePropagation(), true),
  );
  const reply = { json: easyChallenge(), headers };
  await page.route('/challenge', (route) => route.fulfill(reply), { times: 1 });
  await lookUp(page, ids.ordinary);
  await expectState(page, 'verified');
};

test('§154–155 a challenge that expires after it was solved is fetched again, unless the server forbids it', async ({
  page,
}) => {
  await verifyUnheard(page, { 'x-altcha-config': '{"refetchonexpire":false}' });
  await page.clock.fastForward(300_000);
  await expectState(page, 'expired');

  await verifyUnheard(page, {});
  const fetchedAgain = page.waitForRequest('/challenge');
  await page.clock.fastForward(300_000);
  await fetchedAgain;
});
