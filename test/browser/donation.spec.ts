import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './support/browser-test.ts';
import { leave, WAYS_OUT } from './support/dialogs.ts';
import {
  BOT_TOKEN,
  donation,
  donationCaptcha,
  donationOpener,
  GONE,
  leavingQuestion,
  openDonation,
  receiptDialog,
  SAVED,
  submitButton,
  submitToken,
  tokenField,
  withdraw,
  withdrawalCaptcha,
  withdrawalField,
  withdrawButton,
} from './support/donation-forms.ts';
import { watchForLeaks } from './support/leaks.ts';
import { alert } from './support/lookup-page.ts';
import { answerInOrder, callsFrom, hold, holdUntilReleased } from './support/server-answers.ts';

const RECEIPT = 'WD-7H2KQ-9XRTM-4VBNC-8PWEZ-3JYGD-5S';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const message = (page: Page) => donation(page).getByRole('alert');
const expectAskedBeforeLeaving = async (page: Page): Promise<void> => {
  const asked = page.waitForEvent('dialog');
  const leaving = page.evaluate(() => location.assign('/privacy'));
  expect((await asked).type()).toBe('beforeunload');
  await (await asked).dismiss();
  await leaving;
};
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

test('§76–82, 84, 163 the donation dialog asks for a token, refuses none, and forgets it when closed', async ({
  page,
}) => {
  await page.goto('/#donate-token');
  await expect(donation(page)).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect.soft(donation(page).getByRole('heading')).toHaveText('Donate a Discord bot token');
  const field = tokenField(page);
  for (const [name, value] of Object.entries({
    type: 'text',
    required: '',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Paste your bot token',
  }))
    await expect.soft(field).toHaveAttribute(name, value);
  await expect
    .soft(field)
    .toHaveAccessibleDescription('Do not reuse an existing token, and do not add the bot to any server.');
  const calls = callsFrom(page);
  for (const [token, sentence] of [
    ['  ', 'Enter a Discord bot token before submitting.'],
    ['mfa.abcdefghijklmn', 'This isn’t a bot token. Never share your own account’s token with anyone.'],
  ] as const) {
    await submitToken(page, token);
    await expect(message(page)).toHaveText(sentence);
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.press('x');
    await expect(message(page)).toHaveCount(0);
  }
  expect(calls).toEqual([]);
  // The address forgets the hash, so that the same link opens the dialog again.
  await leave(page, donation(page), 'Escape');
  await page.evaluate(() => void (location.hash = '#donate-token'));
  await expect(donation(page)).toBeVisible();
  await leave(page, donation(page), 'Escape');
  for (const way of WAYS_OUT) {
    await donationOpener(page).click();
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('');
    await field.fill(BOT_TOKEN);
    await leave(page, donation(page), way);
    await expect(donation(page)).toHaveCount(0);
    await expect(donationOpener(page)).toBeFocused();
  }
});

test('§68, 85–86, 121, 139–140, 142–147, 179, 199, 211 a donation waits for its captcha, is sent once, and gives thanks', async ({
  page,
}) => {
  const calls = callsFrom(page);
  await hold(page, '/challenge');
  await openDonation(page);
  await tokenField(page).fill(BOT_TOKEN);
  for (const way of WAYS_OUT) {
    await submitButton(page).click();
    await expect(donationCaptcha(page).getByRole('heading')).toHaveText('Verify your token donation');
    await expect(donationCaptcha(page)).toContainText('keeps automated requests out');
    await expect(page.getByText('Verifying…', { exact: true })).toBeAttached();
    await expect(donation(page)).toBeHidden();
    await leave(page, donationCaptcha(page), way);
    await expect(donationCaptcha(page)).toHaveCount(0);
    await expect(submitButton(page)).toBeFocused();
    await expect(tokenField(page)).toHaveValue(BOT_TOKEN);
  }
  expect(calls).not.toContain('/donate-token');
  await page.unroute('/challenge');
  const leaks = watchForLeaks(page, { secret: BOT_TOKEN, path: '/donate-token' });
  const sent = await answerInOrder(page, '/donate-token', { status: 201 });
  await tokenField(page).fill(` ${BOT_TOKEN}\t`);
  await submitButton(page).dblclick();
  await expect(page.getByRole('dialog', { name: 'Thank you' }).getByRole('alert')).toHaveText(SAVED);
  expect(sent).toEqual([{ token: BOT_TOKEN, proof: expect.stringMatching(/^ey[\w+/=]{200,}$/) }]);
  expect(await leaks.found()).toEqual([]);
  await button(page, 'Done').press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await donationOpener(page).click();
  await expect(tokenField(page)).toHaveValue('');
});

test('§147 a donation that is left while it is sent comes back with its receipt', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 422 .*\/donate-token$/);
  const unanswered = {
    status: 422,
    json: { error: 'This is not a valid bot token.', code: 'token-invalid' },
  };
  await openDonation(page);
  for (const [index, way] of [...WAYS_OUT, 'Cancel' as const].entries()) {
    const receipt = `${RECEIPT}${index}`;
    const refused = index === WAYS_OUT.length;
    await answerInOrder(page, '/donate-token', refused ? unanswered : { status: 201, json: { receipt } });
    const release = await holdUntilReleased(page, '/donate-token');
    const sent = page.waitForRequest('/donate-token');
    await submitToken(page);
    await sent;
    await expect(donation(page).getByRole('button', { name: 'Verifying…' })).toBeVisible();
    await expect(tokenField(page)).not.toBeEditable();
    await leave(page, donation(page), way);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expectAskedBeforeLeaving(page);
    await donationOpener(page).click();
    await expect(submitButton(page)).toHaveAttribute('aria-disabled', 'false');
    await expect(tokenField(page)).toHaveValue('');
    const answered = page.waitForResponse('/donate-token');
    release();
    await answered;
    if (refused) break;
    await expect(receiptDialog(page).getByRole('alert')).toContainText('the token had already been sent');
    await expect(receiptDialog(page)).toContainText(receipt);
    await button(page, 'Done').click();
    await button(page, 'Leave without it').click();
    await page.unroute('/donate-token');
  }
  // Nothing was made: nothing is said.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(message(page)).toHaveCount(0);
});

test('§83, 141, 202, 209–210 a donation that fails says why and keeps the token', async ({
  page,
  problems,
}) => {
  problems.expect(/\/donate-token$/);
  await page.clock.install();
  await openDonation(page);
  // Whatever it is, the server says whether it is a token.
  await submitToken(page, ' garbage ');
  await expect(message(page)).toHaveText('This doesn’t look like a Discord bot token.');
  await tokenField(page).fill(BOT_TOKEN);
  const invalid = { error: 'This is not a valid bot token.', code: 'token-invalid' };
  const tooMany = { error: 'Too many donations.', code: 'visitor-limit', retry_after: 90 };
  const calls = await answerInOrder(
    page,
    '/donate-token',
    { status: 422, json: invalid },
    { status: 500 },
    { status: 429, json: tooMany },
    { status: 201 },
  );
  await page.route('/donate-token', (route) => route.abort(), { times: 1 });
  for (const sentence of ['Unable to submit token right now.', invalid.error, 'Token donation failed.']) {
    await submitButton(page).click();
    await expect(message(page)).toHaveText(sentence);
    await expect(tokenField(page)).toHaveValue(BOT_TOKEN);
  }
  await submitButton(page).click();
  await expect(submitButton(page)).toHaveText(/^1:\d\d.*You can try again in 90 seconds\./);
  await submitButton(page).click({ force: true });
  await expect(donationCaptcha(page)).toHaveCount(0);
  await page.clock.fastForward(90_000);
  await expect(submitButton(page)).toHaveAttribute('aria-disabled', 'false');
  expect(calls).toHaveLength(3);
  await submitButton(page).click();
  await expect(alert(page)).toHaveText(SAVED);
});

const openReceipt = async (page: Page): Promise<void> => {
  await answerInOrder(page, '/donate-token', { status: 201, json: { receipt: RECEIPT } });
  await openDonation(page);
  await submitToken(page);
  await expect(receiptDialog(page)).toContainText(RECEIPT);
};

test('a receipt is lost by a decision only, until it is copied or downloaded', async ({
  page,
  context,
  baseURL,
}) => {
  await openReceipt(page);
  await expect(receiptDialog(page).getByRole('alert')).toHaveText(SAVED);
  await expect(button(page, 'Copy receipt')).toBeFocused();
  for (const go of [() => page.mouse.click(5, 5), () => button(page, 'Done').click()]) {
    // Beside a dialog that has just appeared, a press counts for nothing.
    await expect(receiptDialog(page).getByRole('button', { name: 'Close' })).toBeEnabled();
    await go();
    await expect(leavingQuestion(page)).toBeVisible();
    await button(page, 'Back to the receipt').press('Enter');
    await expect(receiptDialog(page)).toContainText(RECEIPT);
  }
  await page.keyboard.press('Escape');
  await button(page, 'Back to the receipt').click();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, 'Copy receipt').click();
  await expect(button(page, 'Copied')).toBeFocused();
  expect(await clipboard(page)).toBe(RECEIPT);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.unrouteAll();
  await openReceipt(page);
  await expectAskedBeforeLeaving(page);
  const downloaded = page.waitForEvent('download');
  await button(page, 'Download .txt').click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe('whoflake-receipt.txt');
  const text = await readFile(await download.path(), 'utf8');
  expect(text.split('\n')[0]).toBe(RECEIPT);
  expect(text).toContain(`${baseURL}/token-donation`);
  await page.evaluate(() => location.assign('/privacy'));
  await expect(page).toHaveURL('/privacy');
});

test('a withdrawal says what is missing or has failed, and sends its secret nowhere else', async ({
  page,
  problems,
}) => {
  problems.expect(/\/withdraw-token$/);
  await hold(page, '/challenge');
  await page.goto('/token-donation');
  await withdraw(page, '  ');
  await expect(alert(page)).toHaveText('Enter your receipt or the token to withdraw.');
  await expect(withdrawalField(page)).toBeFocused();
  await withdraw(page, RECEIPT);
  await expect(withdrawalCaptcha(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(withdrawalCaptcha(page)).toHaveCount(0);
  await expect(withdrawButton(page)).toBeFocused();
  await page.unroute('/challenge');
  for (const [status, sentence] of [
    // Unless the server says that the token is gone.
    [200, 'Withdrawal failed.'],
    [0, 'Unable to withdraw the token right now.'],
  ] as const) {
    await page.unroute('/withdraw-token');
    await page.route('/withdraw-token', (route) =>
      status === 0 ? route.abort() : route.fulfill({ status }),
    );
    await withdrawButton(page).click();
    await expect(alert(page)).toHaveText(sentence);
    await expect(withdrawalField(page)).toHaveValue(RECEIPT);
  }

  await page.unroute('/withdraw-token');
  const leaks = watchForLeaks(page, { secret: BOT_TOKEN, path: '/withdraw-token' });
  const calls = await answerInOrder(page, '/withdraw-token', { status: 200, json: { message: GONE } });
  const release = await holdUntilReleased(page, '/withdraw-token');
  const withdrawn = page.waitForRequest('/withdraw-token');
  await withdraw(page, BOT_TOKEN);
  await withdrawn;
  await expect(page.getByRole('button', { name: 'Withdrawing…' })).toBeVisible();
  await expectAskedBeforeLeaving(page);
  release();
  await expect(alert(page)).toHaveText(GONE);
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
