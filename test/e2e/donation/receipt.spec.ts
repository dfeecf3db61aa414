import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import {
  leave,
  leavingQuestion,
  openDonation,
  receiptDialog,
  SAVED,
  submitToken,
  tokenField,
} from '../support/donation-forms.ts';
import { answerInOrder } from '../support/server-answers.ts';

const RECEIPT = 'WD-7H2KQ-9XRTM-4VBNC-8PWEZ-3JYGD-5S';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const clickBeside = (page: Page): Promise<void> => page.mouse.click(5, 5);

let calls: Record<string, string>[];

test.beforeEach(async ({ page }) => {
  calls = await answerInOrder(page, '/donate-token', { status: 201, json: { receipt: RECEIPT } });
  await openDonation(page);
  await submitToken(page);
  await expect(receiptDialog(page)).toContainText(RECEIPT);
});

test('a receipt stands alone, with thanks, and the first press copies it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await expect(receiptDialog(page).getByRole('alert')).toHaveText(SAVED);
  await expect(tokenField(page)).toHaveCount(0);
  await expect(receiptDialog(page).getByRole('button')).toHaveText([
    'Copy receipt',
    'Download .txt',
    'Done',
    '',
  ]);
  await expect(button(page, 'Copy receipt')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(button(page, 'Copied')).toBeFocused();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(RECEIPT);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(calls).toHaveLength(1);
});

test('a receipt is downloaded as a text that says what it is for', async ({ page, baseURL }) => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Download .txt').click(),
  ]);
  expect(download.suggestedFilename()).toBe('whoflake-receipt.txt');
  const text = await readFile(await download.path(), 'utf8');
  expect(text.split('\n')[0]).toBe(RECEIPT);
  expect(text).toContain(`${baseURL}/token-donation`);
  await button(page, 'Done').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

for (const [way, go] of Object.entries({
  Escape: (page: Page) => leave(page, receiptDialog(page), 'Escape'),
  'the cross': (page: Page) => leave(page, receiptDialog(page), 'Close'),
  'a click beside it': clickBeside,
  Done: (page: Page) => button(page, 'Done').click(),
})) {
  test(`a receipt that is not saved is not lost by ${way}`, async ({ page }) => {
    await go(page);
    await expect(leavingQuestion(page)).toBeVisible();
    await expect(button(page, 'Back to the receipt')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(receiptDialog(page)).toContainText(RECEIPT);
    await go(page);
    await button(page, 'Leave without it').click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
}

test('a receipt survives Escape, however often it is pressed', async ({ page }) => {
  for (let times = 1; times <= 7; times += 1) {
    await page.keyboard.press('Escape');
    await expect(times % 2 === 1 ? leavingQuestion(page) : receiptDialog(page)).toBeVisible();
  }
});

test('a receipt that cannot be copied says so, and is still not lost', async ({ page }) => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'));
  });
  await button(page, 'Copy receipt').click();
  await expect(page.getByText('Your browser didn’t allow copying.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(leavingQuestion(page)).toBeVisible();
});

test('leaving the page warns until the receipt is saved', async ({ page }) => {
  const warnings: string[] = [];
  page.on('dialog', async (dialog) => {
    warnings.push(dialog.type());
    await dialog.dismiss();
  });
  await page.evaluate(() => location.assign('/privacy'));
  await expect.poll(() => warnings).toEqual(['beforeunload']);
  await expect(receiptDialog(page)).toContainText(RECEIPT);
  await button(page, 'Download .txt').click();
  await page.evaluate(() => location.assign('/privacy'));
  await expect(page).toHaveURL('/privacy');
  expect(warnings).toHaveLength(1);
});
