import type { Route } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { endlessChallenge } from '../support/challenges.ts';
import { captcha, ids, lookUp } from '../support/lookup-page.ts';
import { answer, hold } from '../support/server-answers.ts';
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
  { reply: { body: '{"algorithm":' }, logged: /JSON/ },
  { reply: { json: null }, logged: /null/ },
  { reply: { json: { ...valid, algorithm: 'SHA-1' } }, logged: /Unknown algorithm/ },
  { reply: { json: { ...valid, signature: undefined } }, logged: /signature is missing/ },
  { reply: { json: { ...valid, challenge: 'f'.repeat(39) } }, logged: /Challenge is too short/ },
  { reply: { json: { ...valid, salt: '0'.repeat(9) } }, logged: /Salt is too short/ },
  {
    reply: 'none',
    logged: /Failed to fetch/,
    sentence: 'We can’t reach the server. Check your connection and retry.',
  },
];

test('whatever is wrong with a challenge is reported, and can be retried', async ({ page, problems }) => {
  problems.expect(/./);
  const retry = captcha(page).getByRole('button', { name: 'Retry' });
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
  }
  await expectRecovery(page, /reach the server/);
});

test('a refusal counts its wait down, and a challenge that never comes is given up after 20 s', async ({
  page,
  problems,
}) => {
  problems.expect(/429/);
  await page.clock.install();
  const json = { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 60 };
  await answer(page, '/challenge', { status: 429, json });
  await lookUp(page, ids.ordinary);
  await expect(problemIn(page)).toContainText('You have made too many requests.');
  await expect(problemIn(page)).toContainText(/You can try again in \d+ seconds\./);
  const retry = captcha(page).getByRole('button', { name: 'Retry' });
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
