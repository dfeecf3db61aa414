import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { donation } from '../support/donation-forms.ts';
import { section } from './section.ts';

const step = (page: Page, number: number): Locator =>
  page.getByRole('listitem').filter({ hasText: `Step ${number}` });

test.describe('the page on token donations', () => {
  test.beforeEach(({ page }) => page.goto('/token-donation'));

  test('explains first how to get a token from the developer portal', async ({ page }) => {
    for (const part of [
      'application',
      'developer portal',
      'open the Bot tab',
      'reset the token and copy it',
    ]) {
      await expect.soft(step(page, 1)).toContainText(part);
    }
  });

  test('leads then to the dialog on the lookup page', async ({ page }) => {
    await expect(step(page, 2)).toContainText('submit it via the Token Donation modal');
    await step(page, 2).getByRole('link').click();
    await expect(page).toHaveURL('/');
    await expect(donation(page)).toBeVisible();
  });

  test('says why it matters', async ({ page }) => {
    await expect(section(page, 'Why this matters')).toContainText('terminated');
  });

  test('promises what a token is used for and how to take it back', async ({ page }) => {
    for (const promise of [
      'only used to fetch user info via the official API',
      'No servers are joined',
      'The token can be revoked at any time',
    ]) {
      await expect.soft(section(page, 'Token usage & trust')).toContainText(promise);
    }
  });
});
