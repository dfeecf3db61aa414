import type { Route } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { easyChallenge, endlessChallenge } from '../support/challenges.ts';
import { donationCaptcha, openDonation, submitToken } from '../support/donation-forms.ts';
import { captcha, card, ids, lookUp, submitId } from '../support/lookup-page.ts';
import { answer, answerInOrder, hold } from '../support/server-answers.ts';
import { expectRecovery, expectState, FAILED, problemIn } from './widget.ts';

type BadChallenge = {
  readonly reply: Parameters<Route['fulfill']>[0] | 'none';
  readonly logged: RegExp;
  readonly sentence?: string;
};

const valid = endlessChallenge();

const BAD_CHALLENGES: readonly BadChallenge[] = [
  {
    reply: { status: 500, json: { error: 'Unexpected server error.', code: 'internal' } },
    logged: /500/,
    sentence: 'Unexpected server error.',
  },
  {
    reply: {
      status: 503,
      json: { error: 'We can’t do this right now. Please try again in a moment.', code: 'store-unavailable' },
    },
    logged: /503/,
    sentence: 'We can’t do this right now. Please try again in a moment.',
  },
  { reply: { status: 500 }, logged: /500/ },
  { reply: { status: 502, body: '<h1>Bad gateway</h1>' }, logged: /502/ },
  { reply: { body: '{"algorithm":' }, logged: /422/ },
  { reply: { json: null }, logged: /422/ },
  { reply: { json: { ...valid, algorithm: 'SHA-1' } }, logged: /422/ },
  { reply: { json: { ...valid, signature: undefined } }, logged: /422/ },
  { reply: { json: { ...valid, challenge: 'f'.repeat(39) } }, logged: /422/ },
  { reply: { json: { ...valid, salt: '0'.repeat(9) } }, logged: /422/ },
  // A code to be read from a picture or heard: this site has no way to check one.
  {
    reply: {
      headers: { 'x-altcha-config': JSON.stringify({ verifyurl: '/verify' }) },
      json: { ...valid, codeChallenge: { image: 'data:image/png;base64,', audio: '/audio' } },
    },
    logged: /422/,
  },
  { reply: 'none', logged: /Failed to fetch/ },
];

test('§152, 158, 215 whatever is wrong with a challenge is reported, and can be retried', async ({
  page,
  problems,
}) => {
  problems.expect(/./);
  const retry = captcha(page).getByRole('button', { name: 'Try again' });
  await answer(page, '/challenge', { status: 500 });
  await lookUp(page, ids.ordinary);
  for (const { reply, logged, sentence = FAILED } of BAD_CHALLENGES) {
    await expect(retry).toBeVisible();
    await page.unroute('/challenge');
    await page.route('/challenge', (route) => (reply === 'none' ? route.abort() : route.fulfill(reply)));
    const told = page.waitForEvent('console', (message) => logged.test(message.text()));
    await retry.click();
    await told;
    await expect(problemIn(page)).toHaveText(sentence);
    await expectState(page, 'error');
    await expect(page.getByText('Verification failed. Try again later.')).toBeVisible();
  }
  await expectRecovery(page, FAILED);
});

test('a refusal counts down, and a challenge that never comes is given up', async ({ page, problems }) => {
  problems.expect(/429/);
  await page.clock.install();
  const json = { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 60 };
  await answer(page, '/challenge', { status: 429, json });
  await lookUp(page, ids.ordinary);
  await expect(problemIn(page)).toContainText('You have made too many requests.');
  const retry = captcha(page).getByRole('button', { name: 'Try again' });
  await expect(retry).toHaveText(/^(?:1:00|\d\d)/);
  await expect(retry).toHaveAttribute('aria-disabled', 'true');
  await page.clock.fastForward(60_000);
  await expect(page.getByText('You can try again now.').first()).toBeVisible();
  await expect(retry).toBeEnabled();
  await page.unroute('/challenge');
  await hold(page, '/challenge');
  await retry.click();
  await expect(page.getByRole('checkbox', { name: 'Verifying... please wait.' })).toBeVisible();
  await page.clock.fastForward(20_000);
  await expectRecovery(page, FAILED);
});

test('§188, 203 a server may configure the widget in a header: how many workers, how many numbers, and who verifies', async ({
  page,
}) => {
  const config = { workers: 1, maxnumber: 100, verifyurl: '/verify' };
  const { maxnumber: _, ...challenge } = easyChallenge();
  await page.route('/challenge', (route) =>
    route.fulfill({ json: challenge, headers: { 'x-altcha-config': JSON.stringify(config) } }),
  );
  const verified: unknown[] = [];
  await page.route('/verify', (route) => {
    verified.push(route.request().postDataJSON());
    return route.fulfill({ json: { payload: 'approved' } });
  });
  const lookups = await answerInOrder(page, '/lookup', { status: 200, json: { username: 'nelly' } });
  await page.goto('/');
  await submitId(page, ids.ordinary);
  await expect(card(page)).toContainText('nelly');
  expect(verified).toEqual([{ payload: expect.stringMatching(/^ey/) }]);
  expect(lookups).toMatchObject([{ proof: 'approved' }]);
});

const countWorkers = (cores: number | undefined): void => {
  Object.defineProperty(navigator, 'hardwareConcurrency', { value: cores });
  const alive = new Set<Worker>();
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      alive.add(this);
      // One of them searches: that is enough to tell how far it is.
      if (alive.size > 1) this.postMessage = () => {};
    }
    override terminate(): void {
      super.terminate();
      alive.delete(this);
    }
  };
  Object.assign(globalThis, { alive });
};

for (const [cores, workers, algorithm] of [
  [32, 16, 'SHA-256'],
  [32, 16, 'SHA-384'],
  [3, 3, 'SHA-256'],
  [undefined, 8, 'SHA-256'],
] as const)
  test(`§170, 224, 226–227 a browser that says it has ${cores} cores searches with ${workers} workers for ${algorithm}`, async ({
    page,
  }) => {
    await page.addInitScript(countWorkers, cores);
    await answer(page, '/challenge', { status: 200, json: { ...endlessChallenge(), algorithm } });
    await lookUp(page, ids.ordinary);
    const progress = captcha(page).getByRole('progressbar', { name: 'Captcha progress' });
    // Before that it may be half of them, for a visitor who has not pressed yet. The widget's own search tells of none.
    if (algorithm === 'SHA-256')
      await expect.poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.value)).toBeGreaterThan(0);
    await expect.poll(() => page.evaluate('alive.size')).toBe(workers);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.workers().length).toBe(0);
  });

test('a captcha that fails without a network says so', async ({ page, context, problems }) => {
  problems.expect(/./);
  await openDonation(page);
  await context.setOffline(true);
  await submitToken(page);
  await expect(donationCaptcha(page).getByRole('alert')).toContainText(
    'You seem to be offline. Reconnect, then try again.',
  );
});
