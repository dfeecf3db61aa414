import { expect, test } from '../support/browser-test.ts';
import {
  BOT_TOKEN,
  GONE,
  leave,
  WAYS_OUT,
  withdraw,
  withdrawalCaptcha,
  withdrawalField,
  withdrawButton,
} from '../support/donation-forms.ts';
import { watchForLeaks } from '../support/leaks.ts';
import { alert } from '../support/lookup-page.ts';
import { answer, answerInOrder, hold } from '../support/server-answers.ts';

const RECEIPT = 'WD-ABC';
const done = { status: 200, json: { message: GONE } };

test.beforeEach(async ({ page }) => {
  await page.goto('/token-donation');
});

test('a withdrawal of nothing asks for a receipt or a token, without a captcha', async ({ page }) => {
  await expect(withdrawalField(page)).toHaveAttribute('autocomplete', 'off');
  await withdraw(page, '  ');
  await expect(alert(page)).toHaveText('Enter your receipt or the token to withdraw.');
  await expect(withdrawalField(page)).toBeFocused();
  await expect(withdrawalCaptcha(page)).toHaveCount(0);
});

for (const [what, entered, sent] of [
  ['a receipt is sent as such', RECEIPT, { receipt: RECEIPT }],
  ['anything else is sent as a token, trimmed', ` ${BOT_TOKEN} `, { token: BOT_TOKEN }],
] as const) {
  test(`${what}, with its proof`, async ({ page }) => {
    const calls = await answerInOrder(page, '/withdraw-token', done);
    await withdraw(page, entered);
    await expect(withdrawalField(page)).toHaveValue('');
    await expect(alert(page)).toHaveText(GONE);
    expect(calls).toEqual([{ ...sent, proof: expect.stringMatching(/^[\w+/=]{200,}$/) }]);
  });
}

for (const way of WAYS_OUT) {
  test(`a withdrawal stops when its captcha is closed by ${way}, and keeps what was entered`, async ({
    page,
  }) => {
    const calls = await answerInOrder(page, '/withdraw-token', done);
    await hold(page, '/challenge');
    await withdraw(page, RECEIPT);
    await expect(withdrawalCaptcha(page)).toBeVisible();
    await leave(page, withdrawalCaptcha(page), way);
    await expect(withdrawalCaptcha(page)).toHaveCount(0);
    await expect(withdrawButton(page)).toBeFocused();
    await expect(withdrawalField(page)).toHaveValue(RECEIPT);
    expect(calls).toEqual([]);
  });
}

test('a withdrawal says that it is under way while the server works', async ({ page }) => {
  await hold(page, '/withdraw-token');
  await withdraw(page, RECEIPT);
  await expect(withdrawalCaptcha(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Withdrawing…' })).toBeVisible();
  await expect(withdrawalField(page)).not.toBeEditable();
});

test('an expired proof is replaced by a new one without asking the visitor', async ({ page, problems }) => {
  problems.expect(/status of 403 .*\/withdraw-token$/);
  const expired = { status: 403, json: { error: 'The captcha has expired.', code: 'proof-expired' } };
  const calls = await answerInOrder(page, '/withdraw-token', expired, done);
  await withdraw(page, RECEIPT);
  await expect(alert(page)).toHaveText(GONE);
  expect(new Set(calls.map(({ proof }) => proof)).size).toBe(2);
});

test('a withdrawal that is refused for a time says how long, and keeps what was entered', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 429 .*\/withdraw-token$/);
  const json = { error: 'Too many.', code: 'visitor-limit', retry_after: 90 };
  await answer(page, '/withdraw-token', { status: 429, json });
  await withdraw(page, RECEIPT);
  await expect(alert(page)).toContainText('Too many.');
  await expect(alert(page)).toContainText('You can try again in 90 seconds.');
  await expect(withdrawalField(page)).toHaveValue(RECEIPT);
});

test('a withdrawal that fails without a message of the server says so, and keeps what was entered', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 500 .*\/withdraw-token$/);
  await answer(page, '/withdraw-token', { status: 500 });
  await withdraw(page, RECEIPT);
  await expect(alert(page)).toHaveText('Withdrawal failed.');
  await expect(withdrawalField(page)).toHaveValue(RECEIPT);
});

test('a withdrawal that does not reach the server says so, and keeps what was entered', async ({
  page,
  problems,
}) => {
  problems.expect(/ERR_FAILED .*\/withdraw-token$/);
  await page.route('/withdraw-token', (route) => route.abort());
  await withdraw(page, RECEIPT);
  await expect(alert(page)).toHaveText('Unable to withdraw the token right now.');
  await expect(withdrawalField(page)).toHaveValue(RECEIPT);
});

test('a withdrawn token is found nowhere but in the one request', async ({ page }) => {
  const leaks = watchForLeaks(page, { secret: BOT_TOKEN, path: '/withdraw-token' });
  await answer(page, '/withdraw-token', done);
  await withdraw(page, BOT_TOKEN);
  await expect(alert(page)).toHaveText(GONE);
  expect(await leaks.found()).toEqual([]);
});
