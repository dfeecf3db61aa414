import { expect, test } from '../support/browser-test.ts';
import { leave, WAYS_OUT } from '../support/dialogs.ts';
import {
  BOT_TOKEN,
  GONE,
  withdraw,
  withdrawalCaptcha,
  withdrawalField,
  withdrawButton,
} from '../support/donation-forms.ts';
import { watchForLeaks } from '../support/leaks.ts';
import { alert } from '../support/lookup-page.ts';
import { answerInOrder, hold } from '../support/server-answers.ts';

const RECEIPT = 'WD-ABC';

test.beforeEach(async ({ page }) => {
  await page.goto('/token-donation');
});

test('a withdrawal sends a receipt or a token, trimmed, with its proof, nowhere else', async ({ page }) => {
  const leaks = watchForLeaks(page, { secret: BOT_TOKEN, path: '/withdraw-token' });
  const calls = await answerInOrder(page, '/withdraw-token', { status: 200, json: { message: GONE } });
  for (const [entered, sent] of [
    ['wd-abc', { receipt: 'wd-abc' }],
    [` ${BOT_TOKEN} `, { token: BOT_TOKEN }],
  ] as const) {
    await withdraw(page, entered);
    await expect(withdrawalField(page)).toHaveValue('');
    await expect(alert(page)).toHaveText(GONE);
    expect(calls.pop()).toEqual({ ...sent, proof: expect.stringMatching(/^[\w+/=]{200,}$/) });
  }
  expect(await leaks.found()).toEqual([]);
});

test('a withdrawal asks for what is missing, and keeps it when its captcha is closed', async ({ page }) => {
  const calls = await answerInOrder(page, '/withdraw-token', { status: 200 });
  await hold(page, '/challenge');
  await expect(withdrawalField(page)).toHaveAttribute('autocomplete', 'off');
  await withdraw(page, '  ');
  await expect(alert(page)).toHaveText('Enter your receipt or the token to withdraw.');
  await expect(withdrawalField(page)).toBeFocused();
  await expect(withdrawalCaptcha(page)).toHaveCount(0);
  for (const way of WAYS_OUT) {
    await withdraw(page, RECEIPT);
    await expect(withdrawalCaptcha(page)).toBeVisible();
    await leave(page, withdrawalCaptcha(page), way);
    await expect(withdrawalCaptcha(page)).toHaveCount(0);
    await expect(withdrawButton(page)).toBeFocused();
    await expect(withdrawalField(page)).toHaveValue(RECEIPT);
  }
  expect(calls).toEqual([]);
});

test('a withdrawal says that it is under way, and why it failed', async ({ page, problems }) => {
  problems.expect(/\/withdraw-token$/);
  for (const [status, json, sentence] of [
    [500, undefined, 'Withdrawal failed.'],
    // Unless the server says that the token is gone.
    [200, undefined, 'Withdrawal failed.'],
    [0, undefined, 'Unable to withdraw the token right now.'],
    [429, { error: 'Too many.', code: 'visitor-limit', retry_after: 90 }, 'You have made too many requests.'],
  ] as const) {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.unroute('/withdraw-token');
    await page.route('/withdraw-token', async (route) => {
      await held;
      await (status === 0 ? route.abort() : route.fulfill(json ? { status, json } : { status }));
    });
    await withdraw(page, RECEIPT);
    await expect(page.getByRole('button', { name: 'Withdrawing…' })).toBeVisible();
    await expect(withdrawalCaptcha(page)).toHaveCount(0);
    await expect(withdrawalField(page)).not.toBeEditable();
    release();
    await expect(alert(page)).toHaveText(sentence);
    await expect(withdrawalField(page)).toHaveValue(RECEIPT);
  }
});
