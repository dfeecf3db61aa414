import { expect, test } from '../support/browser-test.ts';
import {
  BOT_TOKEN,
  donation,
  donationCaptcha,
  donationOpener,
  leave,
  openDonation,
  SAVED,
  submitButton,
  submitToken,
  tokenField,
  WAYS_OUT,
} from '../support/donation-forms.ts';
import { watchForLeaks } from '../support/leaks.ts';
import { alert } from '../support/lookup-page.ts';
import { answer, answerInOrder, callsFrom, hold } from '../support/server-answers.ts';

test.describe('the donation dialog', () => {
  test.beforeEach(({ page }) => openDonation(page));

  test('has a title, and says that the application may be terminated', async ({ page }) => {
    await expect.soft(donation(page).getByRole('heading')).toHaveText('Donate a Discord bot token');
    await expect.soft(donation(page)).toContainText('Discord may shut its application down');
  });

  test('asks for the token in a required field that has the focus and a hint, and that the browser does not remember', async ({
    page,
  }) => {
    const field = tokenField(page);
    await expect.soft(field).toHaveAttribute('type', 'text');
    await expect.soft(field).toBeFocused();
    await expect.soft(field).toHaveAttribute('required');
    await expect.soft(field).toHaveAttribute('autocomplete', 'off');
    await expect.soft(field).toHaveAttribute('spellcheck', 'false');
    await expect.soft(field).toHaveAttribute('placeholder', 'Paste your bot token');
    await expect
      .soft(field)
      .toHaveAccessibleDescription('Do not reuse an existing token, and do not add the bot to any server.');
  });

  for (const way of WAYS_OUT) {
    test(`is closed by ${way}, gives the focus back and forgets the token`, async ({ page }) => {
      await tokenField(page).fill(BOT_TOKEN);
      await leave(page, donation(page), way);
      await expect(donation(page)).toHaveCount(0);
      await expect(donationOpener(page)).toBeFocused();
      await donationOpener(page).click();
      await expect(tokenField(page)).toHaveValue('');
    });
  }

  for (const [what, token, sentence] of [
    ['cannot be a token', 'garbage', "This doesn't look like a Discord bot token."],
    [
      'is the token of an account',
      'mfa.abcdefghijklmnopqrstuvwxyz',
      "This isn't a bot token. Never share your own account's token with anyone.",
    ],
  ] as const) {
    test(`refuses what ${what} without a captcha and without any call, until it is changed`, async ({
      page,
    }) => {
      const calls = callsFrom(page);
      await submitToken(page, token);
      await expect(donation(page).getByRole('alert')).toHaveText(sentence);
      await expect(tokenField(page)).toBeFocused();
      await expect(tokenField(page)).toHaveAttribute('aria-invalid', 'true');
      await tokenField(page).press('End');
      await page.keyboard.type('x');
      await expect(donation(page).getByRole('alert')).toHaveCount(0);
      await expect(tokenField(page)).toHaveAttribute('aria-invalid', 'false');
      expect(calls).toEqual([]);
    });
  }

  test('asks for a token when there is none, without a captcha and without any call', async ({ page }) => {
    const calls = callsFrom(page);
    await submitToken(page, '  ');
    await expect(donation(page).getByRole('alert')).toHaveText(
      'Enter a Discord bot token before submitting.',
    );
    await expect(tokenField(page)).toBeFocused();
    await expect(donationCaptcha(page)).toHaveCount(0);
    expect(calls).toEqual([]);
  });
});

test('the donation dialog opens from an address, as often as it is asked to', async ({ page }) => {
  await page.goto('/#donate-token');
  await expect(donation(page)).toBeVisible();
  await expect(page).toHaveURL('/');
  await donation(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(donation(page)).toHaveCount(0);
  await page.evaluate(() => {
    location.hash = '#donate-token';
  });
  await expect(donation(page)).toBeVisible();
});

test.describe('a donation', () => {
  test('is sent with its proof, trimmed, and thanked for', async ({ page }) => {
    const calls = await answerInOrder(page, '/donate-token', { status: 201, json: { message: 'Saved.' } });
    await openDonation(page);
    await submitToken(page, ` ${BOT_TOKEN}\t`);
    await expect(page.getByRole('dialog', { name: 'Thank you' }).getByRole('alert')).toHaveText(SAVED);
    await expect(page.getByRole('dialog')).toHaveCount(1);
    expect(calls).toEqual([{ token: BOT_TOKEN, proof: expect.stringMatching(/^ey[\w+/=]{200,}$/) }]);
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await donationOpener(page).click();
    await expect(tokenField(page)).toHaveValue('');
  });

  test('is sent once, however hastily it is submitted', async ({ page }) => {
    const calls = await answerInOrder(page, '/donate-token', { status: 201, json: { receipt: 'WD-1' } });
    await openDonation(page);
    await tokenField(page).fill(BOT_TOKEN);
    await submitButton(page).dblclick();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await expect(page.getByRole('dialog', { name: 'Your receipt' })).toContainText('WD-1');
    expect(calls).toHaveLength(1);
  });

  test('says that it verifies while its captcha is open', async ({ page }) => {
    await hold(page, '/challenge');
    await openDonation(page);
    await submitToken(page);
    await expect(donationCaptcha(page).getByRole('heading')).toHaveText('Verify your token donation');
    await expect(page.getByText('Verifying…', { exact: true })).toBeAttached();
  });

  test('shows only its captcha while that is open, over one backdrop', async ({ page }) => {
    await hold(page, '/challenge');
    await openDonation(page);
    await submitToken(page);
    await expect(donationCaptcha(page)).toBeVisible();
    await expect(donation(page)).toBeHidden();
    const backdrops = await page
      .locator('dialog')
      .evaluateAll((dialogs) =>
        dialogs.map((dialog) => getComputedStyle(dialog, '::backdrop').backgroundColor),
      );
    expect(backdrops.filter((color) => color !== 'rgba(0, 0, 0, 0)')).toHaveLength(1);
  });

  for (const way of WAYS_OUT) {
    test(`stops verifying when its captcha is closed by ${way}, and can be submitted again`, async ({
      page,
    }) => {
      const calls = await answerInOrder(page, '/donate-token', { status: 201 });
      await hold(page, '/challenge');
      await openDonation(page);
      await submitToken(page);
      await expect(donationCaptcha(page)).toBeVisible();
      await leave(page, donationCaptcha(page), way);
      await expect(donationCaptcha(page)).toHaveCount(0);
      await expect(donation(page)).toBeVisible();
      await expect(submitButton(page)).toBeFocused();
      await expect(tokenField(page)).toHaveValue(BOT_TOKEN);
      expect(calls).toEqual([]);
      await page.unroute('/challenge');
      await submitButton(page).click();
      await expect(alert(page)).toHaveText(SAVED);
    });
  }

  test('is left with two Escapes, and can be started again', async ({ page }) => {
    await hold(page, '/challenge');
    await openDonation(page);
    await submitToken(page);
    await expect(donationCaptcha(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await donationOpener(page).click();
    await expect(donation(page)).toBeVisible();
    await expect(submitButton(page)).toBeVisible();
  });

  for (const way of ['Cancel', 'Close'] as const) {
    test(`says that it verifies while the server checks, and is given up by ${way}`, async ({ page }) => {
      await hold(page, '/donate-token');
      await openDonation(page);
      await submitToken(page);
      await expect(donationCaptcha(page)).toHaveCount(0);
      await expect(donation(page).getByRole('button', { name: 'Verifying…' })).toBeVisible();
      await expect(alert(page)).toHaveCount(0);
      await expect(tokenField(page)).not.toBeEditable();
      const aborted = page.waitForEvent('requestfailed', (request) =>
        request.url().endsWith('/donate-token'),
      );
      await leave(page, donation(page), way);
      await aborted;
      await donationOpener(page).click();
      await expect(submitButton(page)).toBeVisible();
    });
  }

  test('leaves its token nowhere but in the one request', async ({ page }) => {
    const leaks = watchForLeaks(page, { secret: BOT_TOKEN, path: '/donate-token' });
    await answer(page, '/donate-token', { status: 201 });
    await openDonation(page);
    await submitToken(page);
    await expect(alert(page)).toHaveText(SAVED);
    expect(await leaks.found()).toEqual([]);
  });
});
