import type { Locator, Page } from '@playwright/test';
import { expect } from './browser-test.ts';
import { captcha, card, idField } from './lookup-page.ts';

export const FAILED = 'Verification failed. Please try again.';
export const VERIFYING = 'Verifying... please wait.';

export const widget = (page: Page): Locator => page.locator('altcha-widget');
export const problemIn = (page: Page): Locator => captcha(page).getByRole('alert');
export const retry = (page: Page): Locator => captcha(page).getByRole('button', { name: 'Try again' });
export const expectNoWorkers = (page: Page): Promise<void> =>
  expect.poll(() => page.workers().length).toBe(0);
export const expectProfile = (page: Page): Promise<void> => expect(card(page)).toContainText('Marlow Finch');
export const expectState = (page: Page, state: string | RegExp): Promise<void> =>
  expect(widget(page).locator('.altcha')).toHaveAttribute('data-state', state);

/** Fills in the ID and waits until its proof is there: the workers of the search came and went. */
export const fillAndSolve = async (page: Page, id: string): Promise<void> => {
  const search = page.waitForEvent('worker');
  await idField(page).fill(id);
  await search;
  await expectNoWorkers(page);
};

/** The dialog says this sentence and nothing else. */
export const expectProblem = async (page: Page, sentence: string): Promise<void> => {
  await expect(problemIn(page)).toHaveText(sentence);
  await expect(captcha(page).getByText('You don’t need to do anything')).toBeHidden();
  await expect(widget(page).or(captcha(page).getByText('Loading…')).first()).toBeHidden();
};

/** It also offers to retry, which leads to the profile once the server gives challenges. */
export const expectRecovery = async (page: Page, sentence: string): Promise<void> => {
  await expectProblem(page, sentence);
  await page.unroute('/challenge');
  await retry(page).click();
  await expectProfile(page);
};
