import type { Route } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { endlessChallenge } from '../support/challenges.ts';
import { captcha, ids, lookUp } from '../support/lookup-page.ts';
import { answer, hold } from '../support/server-answers.ts';
import { expectRecovery, FAILED } from './widget.ts';

type BadChallenge = {
  readonly answer: Parameters<Route['fulfill']>[0];
  readonly logged: RegExp;
  readonly sentence?: string | RegExp;
};

const valid = endlessChallenge();
const badChallenges: Record<string, BadChallenge> = {
  'is refused with 429': {
    answer: {
      status: 429,
      json: { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 1 },
    },
    logged: /429/,
    sentence: /^You have made too many requests\./,
  },
  'fails with 500': {
    answer: { status: 500, json: { error: 'Unexpected server error.', code: 'internal' } },
    logged: /500/,
    sentence: 'Unexpected server error.',
  },
  'fails with 500 and no message': { answer: { status: 500 }, logged: /500/ },
  'fails in a proxy': { answer: { status: 502, body: '<h1>Bad gateway</h1>' }, logged: /502/ },
  'is no JSON': { answer: { body: '{"algorithm":' }, logged: /JSON/ },
  'is null': { answer: { json: null }, logged: /null/ },
  'has an unknown algorithm': {
    answer: { json: { ...valid, algorithm: 'SHA-1' } },
    logged: /Unknown algorithm/,
  },
  'has no signature': {
    answer: { json: { ...valid, signature: undefined } },
    logged: /signature is missing/,
  },
  'is shorter than 40 characters': {
    answer: { json: { ...valid, challenge: 'f'.repeat(39) } },
    logged: /Challenge is too short/,
  },
  'has a salt shorter than 10 characters': {
    answer: { json: { ...valid, salt: '0'.repeat(9) } },
    logged: /Salt is too short/,
  },
};

for (const [fault, { answer: bad, logged, sentence = FAILED }] of Object.entries(badChallenges)) {
  test(`a challenge that ${fault} is reported, and can be retried`, async ({ page, problems }) => {
    problems.expect(logged);
    await page.route('/challenge', (route) => route.fulfill(bad));
    await lookUp(page, ids.ordinary);
    await expectRecovery(page, sentence);
  });
}

test('a challenge that is refused for a time counts the wait down before it can be retried', async ({
  page,
  problems,
}) => {
  problems.expect(/429/);
  await page.clock.install();
  const json = { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 2 };
  await answer(page, '/challenge', { status: 429, json });
  await lookUp(page, ids.ordinary);
  await expect(captcha(page).getByRole('alert')).toContainText('You can try again in 2 seconds.');
  const retry = captcha(page).getByRole('button', { name: 'Retry' });
  await expect(retry).toHaveAttribute('aria-disabled', 'true');
  await page.clock.runFor(2_000);
  await expect(page.getByText('You can try again now.').first()).toBeVisible();
  await expect(retry).toBeEnabled();
});

test('a challenge that cannot be fetched is reported, and can be retried', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED|Failed to fetch/);
  await page.route('/challenge', (route) => route.abort());
  await lookUp(page, ids.ordinary);
  await expectRecovery(page, 'We can’t reach the server. Check your connection and retry.');
});

test('a challenge that never comes is given up after 20 s, and can be retried', async ({ page }) => {
  await page.clock.install();
  await hold(page, '/challenge');
  await lookUp(page, ids.ordinary);
  await expect(page.getByRole('checkbox', { name: 'Verifying... please wait.' })).toBeVisible();
  await page.clock.fastForward(20_000);
  await expectRecovery(page, FAILED);
});
