import type { Locator, Page } from '@playwright/test';
import { expect } from '../support/browser-test.ts';
import { captcha, card, idField } from '../support/lookup-page.ts';

export const FAILED = 'Verification failed. Please try again.';
export const WIDGET_SCRIPT = /altcha-widget.*\.js/;

export const problemIn = (page: Page): Locator => captcha(page).getByRole('alert');

export const expectState = (page: Page, state: string): Promise<void> =>
  expect(page.locator('altcha-widget .altcha')).toHaveAttribute('data-state', state);

export const expectSolving = async (page: Page): Promise<void> => {
  await expectState(page, 'verifying');
  await expect.poll(() => page.workers().length).toBeGreaterThan(0);
};

/** Fills in the ID and waits until its proof is there: the workers of the search came and went. */
export const fillAndSolve = async (page: Page, id: string): Promise<void> => {
  const search = page.waitForEvent('worker');
  await idField(page).fill(id);
  await search;
  await expect.poll(() => page.workers().length).toBe(0);
};

export const expectProfile = (page: Page): Promise<void> => expect(card(page)).toContainText('Marlow Finch');

/** The dialog says the sentence and offers to retry, which leads to the profile once the server gives challenges. */
export const expectRecovery = async (page: Page, sentence: string | RegExp): Promise<void> => {
  await expect(problemIn(page)).toHaveText(sentence);
  await expect(captcha(page)).toContainText('You don’t need to do anything');
  await page.unroute('/challenge');
  await captcha(page).getByRole('button', { name: 'Try again' }).click();
  await expectProfile(page);
};
