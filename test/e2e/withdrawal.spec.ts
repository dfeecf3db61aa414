import type { Locator, Page } from '@playwright/test';
import { GONE, watchForLeaks, withdraw, withdrawalCaptcha as captcha, withdrawalField } from './donor.ts';
import { expect, test } from './support.ts';
import { BOT_TOKEN, hold } from './visitor.ts';

const button = (page: Page): Locator => page.getByRole('button', { name: 'Withdraw', exact: true });

type WithdrawalCall = { readonly proof: string; readonly token?: string; readonly receipt?: string };

/** Answers every withdrawal, and keeps what was sent. */
const answerWithdrawals = async (
  page: Page,
  ...answers: { status: number; json?: unknown }[]
): Promise<WithdrawalCall[]> => {
  const calls: WithdrawalCall[] = [];
  await page.route('/withdraw-token', async (route) => {
    calls.push(route.request().postDataJSON() as WithdrawalCall);
    await route.fulfill(answers[calls.length - 1] ?? answers.at(-1)!);
  });
  return calls;
};
const done = { status: 200, json: { message: GONE } };

test.beforeEach(async ({ page }) => {
  await page.goto('/token-donation');
});

test('asks for a receipt or a token when there is none, without a captcha', async ({ page }) => {
  await expect(withdrawalField(page)).toHaveAttribute('autocomplete', 'off');
  await withdraw(page, '  ');
  await expect(page.getByRole('alert')).toHaveText('Enter your receipt or the token that you want back.');
  await expect(withdrawalField(page)).toBeFocused();
  await expect(captcha(page)).toHaveCount(0);
});

test('sends a receipt as such, and everything else as a token', async ({ page }) => {
  const calls = await answerWithdrawals(page, done);
  for (const secret of ['WD-ABC', ` ${BOT_TOKEN} `]) {
    await withdraw(page, secret);
    await expect(withdrawalField(page)).toHaveValue('');
    await expect(page.getByRole('alert')).toHaveText(GONE);
  }
  const proof = expect.stringMatching(/^[\w+/=]{200,}$/);
  expect(calls).toEqual([
    { receipt: 'WD-ABC', proof },
    { token: BOT_TOKEN, proof },
  ]);
});

test('stops however the captcha is closed, and keeps what was entered', async ({ page }) => {
  const calls = await answerWithdrawals(page, done);
  await hold(page, '/challenge');
  for (const way of ['Escape', 'Cancel', 'Close'] as const) {
    await test.step(way, async () => {
      await withdraw(page, 'WD-ABC');
      await expect(captcha(page)).toBeVisible();
      if (way === 'Escape') await page.keyboard.press('Escape');
      else await captcha(page).getByRole('button', { name: way }).click();
      await expect(captcha(page)).toHaveCount(0);
      await expect(button(page)).toBeFocused();
      await expect(withdrawalField(page)).toHaveValue('WD-ABC');
      expect(calls).toEqual([]);
    });
  }
});

test('says that it withdraws while the server does', async ({ page }) => {
  await page.route('/withdraw-token', () => undefined);
  await withdraw(page, 'WD-ABC');
  await expect(captcha(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Withdrawing…' })).toBeVisible();
  await expect(withdrawalField(page)).not.toBeEditable();
});

test('for an expired proof gets a new one by itself, once', async ({ page, problems }) => {
  problems.expect(/status of 403 .*\/withdraw-token$/);
  const expired = { status: 403, json: { error: 'The captcha has expired.', code: 'proof-expired' } };
  const calls = await answerWithdrawals(page, expired, done);
  await withdraw(page, 'WD-ABC');
  await expect(page.getByRole('alert')).toHaveText(GONE);
  expect(new Set(calls.map(({ proof }) => proof)).size).toBe(2);
});

test('that fails says why, and keeps what was entered', async ({ page, problems }) => {
  problems.expect(/\/withdraw-token$/);
  const tooMany = { error: 'Too many.', code: 'visitor-limit', retry_after: 90 };
  await answerWithdrawals(page, { status: 429, json: tooMany }, { status: 500 });
  await withdraw(page, 'WD-ABC');
  await expect(page.getByRole('alert')).toContainText('Too many.You can try again in 90 seconds.');
  await button(page).click();
  await expect(page.getByRole('alert')).toHaveText('Withdrawal failed.');
  await page.route('/withdraw-token', (route) => route.abort());
  await button(page).click();
  await expect(page.getByRole('alert')).toHaveText('Unable to withdraw the token right now.');
  await expect(withdrawalField(page)).toHaveValue('WD-ABC');
});

test('a token goes nowhere but into the one request', async ({ page }) => {
  const leaks = watchForLeaks(page, { secret: BOT_TOKEN, path: '/withdraw-token' });
  await answerWithdrawals(page, done);
  await withdraw(page, BOT_TOKEN);
  await expect(page.getByRole('alert')).toHaveText(GONE);
  expect(await leaks.found()).toEqual([]);
});
