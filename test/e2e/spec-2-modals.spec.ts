import { walkInTurn, walkTogether } from './spec-walk.ts';
import { expect } from './support.ts';
import {
  alert,
  answer,
  captcha,
  donation,
  donationCaptcha,
  hold,
  ids,
  lookUp,
  openDonation,
  submitToken,
  tokenField,
} from './visitor.ts';

walkTogether(
  '2 / captcha modal',
  async (page) => {
    await hold(page, '/challenge');
    await lookUp(page, ids.ordinary);
  },
  [
    {
      row: '2 / captcha modal: title "Captcha" for a lookup',
      check: ({ page }) =>
        expect(captcha(page).getByRole('heading', { name: 'Captcha', exact: true })).toBeVisible(),
    },
    {
      row: '2 / captcha modal: a description',
      check: ({ page }) => expect(captcha(page)).toContainText('it is not a robot'),
    },
    {
      row: '2 / captcha modal: the widget starts automatically on load',
      check: ({ page }) =>
        expect(captcha(page).getByRole('checkbox', { name: 'Verifying... please wait.' })).toBeVisible(),
    },
    {
      row: '2 / captcha modal: its footer and logo are hidden',
      check: async ({ page }) => {
        await expect(captcha(page).locator('.altcha-footer, .altcha-logo')).toHaveCount(0);
        await expect(captcha(page).getByText(/protected by/i)).toHaveCount(0);
      },
    },
    {
      row: '2 / captcha modal: a close button',
      check: ({ page }) => expect(captcha(page).getByRole('button', { name: 'Close' })).toBeVisible(),
    },
    {
      row: '2 / captcha modal: a Cancel button',
      check: async ({ page }) => {
        await captcha(page).getByRole('button', { name: 'Cancel' }).click();
        await expect(captcha(page)).toHaveCount(0);
      },
    },
  ],
);

walkInTurn('2 / captcha modal: its other faces', [
  {
    row: '2 / captcha modal: an inline error area',
    check: async ({ page, problems }) => {
      problems.expect(/status of 500|500/);
      await answer(page, '/challenge', { status: 500, json: { error: 'Out of order.' } });
      await lookUp(page, ids.ordinary);
      await expect(captcha(page).getByRole('alert')).toContainText('Out of order.');
    },
  },
  {
    row: '2 / captcha modal: title "Verify your token donation" for a donation',
    check: async ({ page }) => {
      await hold(page, '/challenge');
      await openDonation(page);
      await submitToken(page);
      await expect(donationCaptcha(page).getByRole('heading')).toHaveText('Verify your token donation');
    },
  },
]);

walkTogether('2 / token donation modal', openDonation, [
  {
    row: '2 / token donation modal: title "Donate a {product} bot token"',
    check: ({ page }) => expect(donation(page).getByRole('heading')).toHaveText('Donate a Discord bot token'),
  },
  {
    row: '2 / token donation modal: a "Bot Token" text input',
    check: ({ page }) => expect(tokenField(page)).toHaveAttribute('type', 'text'),
  },
  {
    row: '2 / token donation modal: the input has the focus',
    check: ({ page }) => expect(tokenField(page)).toBeFocused(),
  },
  {
    row: '2 / token donation modal: required',
    check: ({ page }) => expect(tokenField(page)).toHaveAttribute('required'),
  },
  {
    row: '2 / token donation modal: no autocomplete',
    check: async ({ page }) => {
      await expect(tokenField(page)).toHaveAttribute('autocomplete', 'off');
      await expect(tokenField(page)).toHaveAttribute('spellcheck', 'false');
    },
  },
  {
    row: '2 / token donation modal: placeholder "Paste your bot token"',
    check: ({ page }) => expect(tokenField(page)).toHaveAttribute('placeholder', 'Paste your bot token'),
  },
  {
    row: '2 / token donation modal: a hint not to reuse a token and not to add the bot to any server',
    check: ({ page }) =>
      expect(tokenField(page)).toHaveAccessibleDescription(
        'Do not reuse an existing token, and do not add the bot to any server.',
      ),
  },
  {
    row: '2 / token donation modal: says that the application may be terminated',
    check: ({ page }) => expect(donation(page)).toContainText('Discord may terminate the application'),
  },
  {
    row: '2 / token donation modal: a status message area',
    check: async ({ page }) => {
      await submitToken(page, ' ');
      await expect(donation(page).getByRole('alert')).toBeVisible();
    },
  },
  {
    row: '2 / token donation modal: a button "Submit & Verify", "Verifying…" while busy',
    check: async ({ page }) => {
      await hold(page, '/donate-token');
      await submitToken(page);
      await expect(donation(page).getByRole('button', { name: 'Verifying…' })).toBeVisible();
      await expect(alert(page)).toHaveCount(0);
    },
  },
  {
    row: '2 / token donation modal: a button Cancel',
    check: async ({ page }) => {
      await expect(donationCaptcha(page)).toHaveCount(0);
      await donation(page).getByRole('button', { name: 'Cancel' }).click();
      await expect(donation(page)).toHaveCount(0);
    },
  },
]);
