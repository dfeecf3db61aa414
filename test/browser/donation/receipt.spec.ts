import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { leave } from '../support/dialogs.ts';
import {
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

test('a receipt that is not saved is lost by nothing but a decision', async ({ page }) => {
  const ways = [
    () => leave(page, receiptDialog(page), 'Escape'),
    () => leave(page, receiptDialog(page), 'Close'),
    () => page.mouse.click(5, 5),
    () => button(page, 'Done').click(),
  ];
  for (const go of ways) {
    await go();
    await expect(leavingQuestion(page)).toBeVisible();
    await expect(button(page, 'Back to the receipt')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(receiptDialog(page)).toContainText(RECEIPT);
  }
  for (let times = 1; times <= 6; times += 1) {
    await page.keyboard.press('Escape');
    await expect(times % 2 === 1 ? leavingQuestion(page) : receiptDialog(page)).toBeVisible();
  }
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'));
  });
  await button(page, 'Copy receipt').click();
  await expect(page.getByText('Your browser didn’t allow copying.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(leavingQuestion(page)).toBeVisible();
  await button(page, 'Leave without it').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('leaving the page warns until the receipt is downloaded, as a text', async ({ page, baseURL }) => {
  const warnings: string[] = [];
  page.on('dialog', async (dialog) => {
    warnings.push(dialog.type());
    await dialog.dismiss();
  });
  await page.evaluate(() => location.assign('/privacy'));
  await expect.poll(() => warnings).toEqual(['beforeunload']);
  await expect(receiptDialog(page)).toContainText(RECEIPT);
  const downloaded = page.waitForEvent('download');
  await button(page, 'Download .txt').click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe('whoflake-receipt.txt');
  const text = await readFile(await download.path(), 'utf8');
  expect(text.split('\n')[0]).toBe(RECEIPT);
  expect(text).toContain(`${baseURL}/token-donation`);
  await page.evaluate(() => location.assign('/privacy'));
  await expect(page).toHaveURL('/privacy');
  expect(warnings).toHaveLength(1);
});
