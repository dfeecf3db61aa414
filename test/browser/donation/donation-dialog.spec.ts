import { expect, test } from '../support/browser-test.ts';
import { leave, WAYS_OUT } from '../support/dialogs.ts';
import {
  BOT_TOKEN,
  donation,
  donationCaptcha,
  donationOpener,
  openDonation,
  receiptDialog,
  SAVED,
  submitButton,
  submitToken,
  tokenField,
} from '../support/donation-forms.ts';
import { watchForLeaks } from '../support/leaks.ts';
import { alert } from '../support/lookup-page.ts';
import { answerInOrder, callsFrom, hold, sentTo } from '../support/server-answers.ts';

test('§76–82, 84 the donation dialog asks for a token that the browser does not remember, and forgets it when it is closed', async ({
  page,
}) => {
  await page.goto('/#donate-token');
  await expect(donation(page)).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect.soft(donation(page).getByRole('heading')).toHaveText('Donate a Discord bot token');
  await expect.soft(donation(page)).toContainText('Discord may shut down the application it belongs to');
  await expect.soft(tokenField(page)).toBeFocused();
  const risks = donation(page).getByRole('link', { name: 'Read about the risks' });
  await expect.soft(risks).toHaveAttribute('href', /\/token-donation#risks$/);
  await expect.soft(risks).toHaveAttribute('target', '_blank');
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
  await leave(page, donation(page), 'Escape');
  // The address forgets the hash, so that the same link opens the dialog again.
  await page.evaluate(() => {
    location.hash = '#donate-token';
  });
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

test('§163 no token, and the token of a person, are refused without any call, until they are changed', async ({
  page,
}) => {
  const calls = callsFrom(page);
  await openDonation(page);
  for (const [token, sentence] of [
    ['  ', 'Enter a Discord bot token before submitting.'],
    [
      'mfa.abcdefghijklmnopqrstuvwxyz',
      'This isn’t a bot token. Never share your own account’s token with anyone.',
    ],
  ] as const) {
    await submitToken(page, token);
    await expect(donation(page).getByRole('alert')).toHaveText(sentence);
    await expect(tokenField(page)).toBeFocused();
    await expect(tokenField(page)).toHaveAttribute('aria-invalid', 'true');
    const red = await donation(page)
      .getByRole('alert')
      .evaluate((element) => getComputedStyle(element).color);
    for (const edge of ['outline-color', 'border-top-color'])
      await expect(tokenField(page)).toHaveCSS(edge, red);
    await tokenField(page).press('x');
    await expect(donation(page).getByRole('alert')).toHaveCount(0);
    await expect(tokenField(page)).toHaveAttribute('aria-invalid', 'false');
  }
  expect(calls).toEqual([]);
});

test('a dialog on a phone stays where it is when a message comes and goes', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openDonation(page);
  const places = async (): Promise<unknown[]> =>
    Promise.all([donation(page), submitButton(page)].map(async (part) => (await part.boundingBox())?.y));
  const before = await places();
  await submitToken(page, ' ');
  await expect(donation(page).getByRole('alert')).toBeVisible();
  expect(await places()).toEqual(before);
  await tokenField(page).press('x');
  await expect(donation(page).getByRole('alert')).toHaveCount(0);
  expect(await places()).toEqual(before);
  // A message that takes more room than there is makes it grow downwards.
  await submitToken(page, 'mfa.abcdefghijklmnopqrstuvwxyz');
  await expect(donation(page).getByRole('alert')).toBeVisible();
  const [top] = await places();
  expect(top).toBe(before[0]);
});

test('§141 any other text goes the way of a token, and what the server says of it is shown', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 422 .*\/donate-token$/);
  const tokens = sentTo(page, '/donate-token');
  await openDonation(page);
  await submitToken(page, ' garbage ');
  await expect(donation(page).getByRole('alert')).toHaveText('This doesn’t look like a Discord bot token.');
  expect(tokens).toMatchObject([{ token: 'garbage' }]);
});

test('§121, 143, 179, 199 a donation is sent once, trimmed, with its proof, however hastily, and its token is nowhere else', async ({
  page,
}) => {
  const leaks = watchForLeaks(page, { secret: BOT_TOKEN, path: '/donate-token' });
  const calls = await answerInOrder(page, '/donate-token', { status: 201, json: { receipt: 'WD-1' } });
  await openDonation(page);
  await tokenField(page).fill(` ${BOT_TOKEN}\t`);
  await submitButton(page).dblclick();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(receiptDialog(page)).toContainText('WD-1');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  expect(calls).toEqual([{ token: BOT_TOKEN, proof: expect.stringMatching(/^ey[\w+/=]{200,}$/) }]);
  expect(await leaks.found()).toEqual([]);
});

test('§68, 85, 139–140, 142, 144–146, 211 the captcha of a donation stands alone over one backdrop, and closing it gives the form back', async ({
  page,
}) => {
  const calls = await answerInOrder(page, '/donate-token', { status: 201 });
  await hold(page, '/challenge');
  await openDonation(page);
  await tokenField(page).fill(BOT_TOKEN);
  for (const way of WAYS_OUT) {
    await submitButton(page).click();
    await expect(donationCaptcha(page).getByRole('heading')).toHaveText('Verify your token donation');
    await expect(donationCaptcha(page)).toContainText('keeps automated requests out');
    await expect(page.getByText('Verifying…', { exact: true })).toBeAttached();
    await expect(donation(page)).toBeHidden();
    const backdrops = await page
      .locator('dialog')
      .evaluateAll((dialogs) =>
        dialogs.map((dialog) => getComputedStyle(dialog, '::backdrop').backgroundColor),
      );
    expect(backdrops.filter((color) => color !== 'rgba(0, 0, 0, 0)')).toHaveLength(1);
    await leave(page, donationCaptcha(page), way);
    await expect(donationCaptcha(page)).toHaveCount(0);
    await expect(submitButton(page)).toBeFocused();
    await expect(tokenField(page)).toHaveValue(BOT_TOKEN);
  }
  await submitButton(page).click();
  await expect(donationCaptcha(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(calls).toEqual([]);

  await page.unroute('/challenge');
  await donationOpener(page).click();
  await submitToken(page);
  await expect(page.getByRole('dialog', { name: 'Thank you' }).getByRole('alert')).toHaveText(SAVED);
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await donationOpener(page).click();
  await expect(tokenField(page)).toHaveValue('');
});

test('§86, 147 a donation says that it verifies while the server checks, and is given up by closing its dialog', async ({
  page,
}) => {
  await hold(page, '/donate-token');
  await openDonation(page);
  for (const way of ['Cancel', 'Close'] as const) {
    await submitToken(page);
    await expect(donationCaptcha(page)).toHaveCount(0);
    await expect(donation(page).getByRole('button', { name: 'Verifying…' })).toBeVisible();
    await expect(alert(page)).toHaveCount(0);
    await expect(tokenField(page)).not.toBeEditable();
    const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/donate-token'));
    await leave(page, donation(page), way);
    await aborted;
    await donationOpener(page).click();
    await expect(submitButton(page)).toBeVisible();
  }
});

test('§83, 202, 209–210 a donation that fails says why and keeps the token; one that must wait cannot be sent earlier', async ({
  page,
  problems,
}) => {
  problems.expect(/\/donate-token$/);
  await page.clock.install();
  await openDonation(page);
  for (const [status, json, sentence] of [
    [
      422,
      { error: 'This is not a valid bot token.', code: 'token-invalid' },
      'This is not a valid bot token.',
    ],
    [
      503,
      { error: 'We can’t do this right now. Please try again in a moment.', code: 'store-unavailable' },
      'We can’t do this right now. Please try again in a moment.',
    ],
    [500, undefined, 'Token donation failed.'],
    [0, undefined, 'Unable to submit token right now.'],
  ] as const) {
    await page.unroute('/donate-token');
    await page.route('/donate-token', (route) =>
      status === 0 ? route.abort() : route.fulfill(json ? { status, json } : { status }),
    );
    await submitToken(page);
    await expect(donation(page).getByRole('alert')).toHaveText(sentence);
    await expect(tokenField(page)).toHaveValue(BOT_TOKEN);
  }
  await page.unroute('/donate-token');
  const calls = await answerInOrder(
    page,
    '/donate-token',
    { status: 429, json: { error: 'Too many donations.', code: 'visitor-limit', retry_after: 90 } },
    { status: 201 },
  );
  await submitButton(page).click();
  await expect(submitButton(page)).toHaveText(/^1:\d\d.*You can try again in 90 seconds\./);
  await expect(submitButton(page)).toHaveAttribute('aria-disabled', 'true');
  await submitButton(page).click({ force: true });
  await tokenField(page).press('Enter');
  await expect(donationCaptcha(page)).toHaveCount(0);
  await page.clock.fastForward(90_000);
  await expect(submitButton(page)).toHaveAttribute('aria-disabled', 'false');
  expect(calls).toHaveLength(1);
  await submitButton(page).click();
  await expect(alert(page)).toHaveText(SAVED);
});
