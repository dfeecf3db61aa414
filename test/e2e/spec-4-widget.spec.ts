import type { Locator, Page } from '@playwright/test';
import { walkEach, walkInTurn } from './spec-walk.ts';
import { expect } from './support.ts';
import {
  alert,
  captcha,
  card,
  challengeWith,
  easyChallenge,
  endlessChallenge,
  hold,
  ids,
  lookUp,
  lookupButton,
} from './visitor.ts';

const widget = (page: Page): Locator => page.locator('altcha-widget .altcha');

const expectState = (page: Page, state: string): Promise<void> =>
  expect(widget(page)).toHaveAttribute('data-state', state);

/** The modal does not hear that the widget is done, so that the widget stays to be looked at. */
const keepAfterVerified = (page: Page): Promise<unknown> =>
  page.addInitScript(() => addEventListener('verified', (event) => event.stopImmediatePropagation(), true));

walkInTurn('4 / captcha widget: its states', [
  {
    row: '4 / captcha widget: state verifying',
    check: async ({ page }) => {
      await challengeWith(page, () => endlessChallenge());
      await lookUp(page, ids.ordinary);
      await expectState(page, 'verifying');
    },
  },
  {
    row: '4 / captcha widget: state error, and from there a new try',
    check: async ({ page, problems }) => {
      problems.expect(/Unknown algorithm/);
      await challengeWith(page, () => ({ ...endlessChallenge(), algorithm: 'MD5' }));
      await lookUp(page, ids.ordinary);
      await expectState(page, 'error');
      await page.unroute('/challenge');
      await page.getByRole('checkbox').click();
      await expect(card(page)).toBeVisible();
    },
  },
  {
    row: '4 / captcha widget: state code (the image or audio challenge that the widget may offer)',
    check: async ({ page }) => {
      await hold(page, '/challenge');
      await lookUp(page, ids.ordinary);
      await expectState(page, 'verifying');
      await page
        .locator('altcha-widget')
        .evaluate((element) =>
          element.dispatchEvent(new CustomEvent('statechange', { detail: { state: 'code' } })),
        );
      await expect(captcha(page).getByRole('status')).toHaveText('Verification required!');
    },
  },
  {
    row: '4 / captcha widget: on expiry of any other it becomes expired',
    check: async ({ page }) => {
      await challengeWith(page, () => endlessChallenge(4));
      await lookUp(page, ids.ordinary);
      await expectState(page, 'expired');
      await expect(alert(page)).toHaveText('Verification expired. Try again.');
    },
  },
  {
    row: '4 / captcha widget: the modal resets it when closed, back to unverified',
    check: async ({ page }) => {
      await challengeWith(page, () => endlessChallenge());
      await lookUp(page, ids.ordinary);
      await expectState(page, 'verifying');
      const left = await page.locator('altcha-widget').elementHandle();
      await captcha(page).getByRole('button', { name: 'Close' }).click();
      await expect.poll(() => page.workers().length).toBe(0);
      expect(await left?.evaluate((element) => element.isConnected)).toBe(false);
      await page.unroute('/challenge');
      await lookupButton(page).click();
      await expect(card(page)).toBeVisible();
    },
  },
]);

walkEach([
  {
    row: '4 / captcha widget: state verified',
    check: async ({ page }) => {
      await keepAfterVerified(page);
      await challengeWith(page, () => easyChallenge());
      await lookUp(page, ids.ordinary);
      await expectState(page, 'verified');
    },
  },
  {
    row: '4 / captcha widget: on expiry of a verified challenge it is fetched again',
    check: async ({ page }) => {
      await keepAfterVerified(page);
      await page.route('/challenge', (route) => route.fulfill({ json: easyChallenge(3) }), { times: 1 });
      await lookUp(page, ids.ordinary);
      await expectState(page, 'verified');
      await page.waitForRequest('/challenge');
    },
  },
]);
