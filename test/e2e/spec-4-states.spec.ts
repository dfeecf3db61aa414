import type { Page } from '@playwright/test';
import { walkInTurn } from './spec-walk.ts';
import { expect } from './support.ts';
import {
  alert,
  answer,
  captcha,
  card,
  donation,
  donationCaptcha,
  hold,
  idField,
  ids,
  lookUp,
  lookupButton,
  openDonation,
  submitId,
  submitToken,
  tokenField,
} from './visitor.ts';

const SAVED = 'Token verified and saved. Thank you for helping keep the service alive!';

/** The bodies that are posted to a path, which then is answered as always. */
const sentTo = (page: Page, path: string): Record<string, string>[] => {
  const bodies: Record<string, string>[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(path)) bodies.push(request.postDataJSON() as Record<string, string>);
  });
  return bodies;
};

walkInTurn('4 / states of a lookup and of a donation', [
  {
    row: '4 / lookup 1: submitting opens the captcha modal for the trimmed id',
    check: async ({ page }) => {
      const lookups = sentTo(page, '/lookup');
      await hold(page, '/challenge');
      await lookUp(page, ` ${ids.ordinary} `);
      await expect(captcha(page)).toBeVisible();
      expect(lookups).toEqual([]);
      await page.unroute('/challenge');
      await page.keyboard.press('Escape');
      await lookupButton(page).click();
      await expect(card(page)).toBeVisible();
      expect(lookups).toEqual([{ discord_id: ids.ordinary, proof: expect.stringMatching(/^ey/) }]);
    },
  },
  {
    row: '4 / lookup 2: a verified payload closes the modal and sends the call; a busy state applies',
    check: async ({ page }) => {
      const lookups = sentTo(page, '/lookup');
      await hold(page, '/lookup');
      await lookUp(page, ids.ordinary);
      await expect(lookupButton(page)).toHaveText('Looking up…');
      await expect(captcha(page)).toHaveCount(0);
      const { number } = JSON.parse(atob(lookups[0]?.['proof'] ?? '')) as { number: unknown };
      expect(number).toEqual(expect.any(Number));
      await lookupButton(page).click({ force: true });
      expect(lookups).toHaveLength(1);
    },
  },
  {
    row: '4 / lookup 3: 2xx shows the profile, 404 the warning, any other failure an error; 4: a new lookup clears them',
    check: async ({ page, problems }) => {
      problems.expect(/status of (?:404|500) .*\/lookup$/);
      await lookUp(page, ids.ordinary);
      await expect(card(page)).toBeVisible();

      await hold(page, '/challenge');
      await submitId(page, ids.nobody);
      await expect(captcha(page)).toBeVisible();
      await expect(card(page)).toHaveCount(0);
      await page.keyboard.press('Escape');
      await page.unroute('/challenge');
      await submitId(page, ids.nobody);
      await expect(alert(page)).toContainText('No profile was found');

      await answer(page, '/lookup', { status: 500, json: { error: 'It broke.' } });
      await submitId(page, ids.ordinary);
      await expect(alert(page)).toContainText('It broke.');
      await expect(alert(page)).not.toContainText('No profile was found');

      await hold(page, '/challenge');
      await submitId(page, ids.ordinary);
      await expect(captcha(page)).toBeVisible();
      await expect(page.locator('[role=alert]')).toHaveCount(0);
    },
  },
  {
    row: '4 / donation 1: a non-empty token sets the submitting state and opens the captcha modal',
    check: async ({ page }) => {
      await hold(page, '/challenge');
      await openDonation(page);
      await submitToken(page);
      await expect(donationCaptcha(page)).toBeVisible();
      await expect(page.getByText('Verifying…', { exact: true })).toBeVisible();
    },
  },
  {
    row: '4 / donation 2, 3: the solved captcha sends the call; success clears the field and says so',
    check: async ({ page }) => {
      const donations = sentTo(page, '/donate-token');
      await answer(page, '/donate-token', { status: 201 });
      await openDonation(page);
      await submitToken(page);
      await expect(donation(page).getByRole('alert')).toHaveText(SAVED);
      await expect(tokenField(page)).toHaveValue('');
      expect(donations).toEqual([{ token: expect.any(String), proof: expect.stringMatching(/^ey/) }]);
    },
  },
  {
    row: '4 / donation 4: closing the captcha cancels the submitting state; closing the token modal resets it',
    check: async ({ page }) => {
      await hold(page, '/challenge');
      await openDonation(page);
      await submitToken(page);
      await donationCaptcha(page).getByRole('button', { name: 'Cancel' }).click();
      await expect(donation(page).getByRole('button', { name: 'Submit & Verify' })).toBeVisible();

      await page.unroute('/challenge');
      await hold(page, '/donate-token');
      await submitToken(page);
      await expect(donationCaptcha(page)).toHaveCount(0);
      await expect(donation(page).getByRole('button', { name: 'Verifying…' })).toBeVisible();
      await donation(page).getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Donate a bot token' }).click();
      await expect(donation(page).getByRole('button', { name: 'Submit & Verify' })).toBeVisible();
      await expect(idField(page)).toBeAttached();
    },
  },
]);
