import { expect, test } from '../support/browser-test.ts';
import {
  donation,
  donationOpener,
  receiptDialog,
  saveReceipt,
  submitToken,
} from '../support/donation-forms.ts';
import { answer } from '../support/server-answers.ts';

test('the page on token donations opens the dialog in place', async ({ page }) => {
  await page.goto('/token-donation');
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
