import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import {
  donation,
  donationOpener,
  receiptDialog,
  saveReceipt,
  submitToken,
} from '../support/donation-forms.ts';
import { answer } from '../support/server-answers.ts';
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

  test('links the developer portal, in a tab of its own', async ({ page }) => {
    const link = step(page, 1).getByRole('link', { name: 'Discord’s developer portal' });
    await expect(link).toHaveAttribute('href', 'https://discord.com/developers/applications');
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  });

  test('names the dialog on the lookup page, and opens it in place', async ({ page }) => {
    await expect(step(page, 2)).toContainText(
      'Return to the lookup page and submit it via the Token Donation modal',
    );
    await answer(page, '/donate-token', { status: 201, json: { receipt: 'WD-1' } });
    await donationOpener(page).dblclick();
    await expect(donation(page)).toHaveCount(1);
    await submitToken(page);
    await expect(receiptDialog(page)).toContainText('WD-1');
    await expect(page).toHaveURL('/token-donation');
    await saveReceipt(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(donationOpener(page)).toBeFocused();
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
