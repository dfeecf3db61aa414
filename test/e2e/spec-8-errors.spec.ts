import { walkEach, walkInTurn } from './spec-walk.ts';
import { expect } from './support.ts';
import {
  alert,
  answer,
  captcha,
  challengeWith,
  donation,
  endlessChallenge,
  hold,
  ids,
  lookUp,
  openDonation,
  submitToken,
} from './visitor.ts';

walkInTurn('8 / error and status texts', [
  {
    row: '8 / "Unexpected server error." when a lookup fails without an error field',
    check: async ({ page, problems }) => {
      problems.expect(/status of 500 .*\/lookup$/);
      await answer(page, '/lookup', { status: 500, json: {} });
      await lookUp(page, ids.ordinary);
      await expect(alert(page)).toContainText('Unexpected server error.');
    },
  },
  {
    row: '8 / network failure: otherwise the thrown message is shown',
    check: async ({ page, problems }) => {
      problems.expect(/ERR_FAILED .*\/lookup$/);
      await page.route('/lookup', (route) => route.abort());
      await lookUp(page, ids.ordinary);
      await expect(alert(page)).toContainText('Failed to fetch');
    },
  },
  {
    row: '8 / "Token donation failed." fallback for a failed donation',
    check: async ({ page, problems }) => {
      problems.expect(/status of 500 .*\/donate-token$/);
      await answer(page, '/donate-token', { status: 500 });
      await openDonation(page);
      await submitToken(page);
      await expect(donation(page).getByRole('alert')).toHaveText('Token donation failed.');
    },
  },
  {
    row: '8 / "Unable to submit token right now." for a donation network failure',
    check: async ({ page, problems }) => {
      problems.expect(/ERR_FAILED .*\/donate-token$/);
      await page.route('/donate-token', (route) => route.abort());
      await openDonation(page);
      await submitToken(page);
      await expect(donation(page).getByRole('alert')).toHaveText('Unable to submit token right now.');
    },
  },
  {
    row: '8 / success text of a donation',
    check: async ({ page }) => {
      await answer(page, '/donate-token', { status: 201 });
      await openDonation(page);
      await submitToken(page);
      await expect(donation(page).getByRole('alert')).toHaveText(
        'Token verified and saved. Thank you for helping keep the service alive!',
      );
    },
  },
  {
    row: '8 / 404 lookup warning, followed by the creation time in UTC',
    check: async ({ page, problems }) => {
      problems.expect(/status of 404 .*\/lookup$/);
      await lookUp(page, ids.nobody);
      await expect(alert(page)).toContainText(
        `No profile was found for ${ids.nobody}. Discord reports that the snowflake was created at: 1 January 2021 at 00:00:17 UTC`,
      );
    },
  },
  {
    row: '8 / unknown route: the "Page not found" screen',
    check: async ({ page, problems }) => {
      problems.expect(/status of 404/);
      await page.goto('/unknown');
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    },
  },
  {
    row: '8 / widget text: "Verifying... please wait."',
    check: async ({ page }) => {
      await hold(page, '/challenge');
      await lookUp(page, ids.ordinary);
      await expect(captcha(page).getByText('Verifying... please wait.').first()).toBeVisible();
      await expect(captcha(page).getByRole('status')).toHaveText('Verifying... please wait.');
    },
  },
  {
    row: '8 / widget texts: "Verification failed. Try again later.", "I\'m not a robot"',
    check: async ({ page, problems }) => {
      problems.expect(/500/);
      await answer(page, '/challenge', { status: 500 });
      await lookUp(page, ids.ordinary);
      await expect(captcha(page).getByText('Verification failed. Try again later.')).toBeVisible();
      await expect(captcha(page).getByText("I'm not a robot")).toBeVisible();
    },
  },
  {
    row: '8 / widget text: "Verification expired. Try again."',
    check: async ({ page }) => {
      await challengeWith(page, () => endlessChallenge(4));
      await lookUp(page, ids.ordinary);
      await expect(captcha(page).locator('altcha-widget')).toContainText('Verification expired. Try again.');
    },
  },
]);

walkEach([
  {
    row: '8 / "Unable to complete lookup." on a network failure without a message',
    check: async ({ page }) => {
      await page.addInitScript(() => {
        const fetch = window.fetch.bind(window);
        window.fetch = (input, init) =>
          input === '/lookup' ? Promise.reject(new TypeError('')) : fetch(input, init);
      });
      await lookUp(page, ids.ordinary);
      await expect(alert(page)).toContainText('Unable to complete lookup.');
    },
  },
]);
