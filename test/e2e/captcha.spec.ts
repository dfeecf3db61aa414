import type { Page } from '@playwright/test';
import { expect, test } from './support.ts';

const MARLOW = '441997505123577857';

const submit = async (page: Page): Promise<void> => {
  await page.getByLabel('Discord ID').fill(MARLOW);
  await page.getByRole('button', { name: 'Lookup' }).click();
};

const expectProfile = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { name: 'Marlow Finch' })).toBeVisible();

test('tells that it works', async ({ page }) => {
  await page.route('/challenge', () => undefined);
  await page.goto('/');
  await submit(page);
  const dialog = page.getByRole('dialog', { name: 'Captcha' });
  await expect(dialog.getByRole('status')).toHaveText('Verifying... please wait.');
});

const waysOut: Record<string, (page: Page) => Promise<void>> = {
  Escape: (page) => page.keyboard.press('Escape'),
  Cancel: (page) => page.getByRole('button', { name: 'Cancel' }).click(),
  'the cross': (page) => page.getByRole('button', { name: 'Close' }).click(),
  'the backdrop': (page) => page.mouse.click(5, 5),
};

for (const [name, leave] of Object.entries(waysOut)) {
  test(`closes with ${name} and gives the focus back`, async ({ page }) => {
    await page.route('/challenge', () => undefined);
    await page.goto('/');
    await submit(page);
    await expect(page.getByRole('dialog')).toBeVisible();
    await leave(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Lookup' })).toBeFocused();
  });
}

test('solves afresh when it is opened again', async ({ page }) => {
  let challenges = 0;
  await page.route('/challenge', (route) => (++challenges === 1 ? undefined : route.continue()));
  await page.goto('/');
  await submit(page);
  await expect(page.getByRole('checkbox', { name: 'Verifying... please wait.' })).toBeVisible();
  await page.keyboard.press('Escape');
  await submit(page);
  await expectProfile(page);
  expect(challenges).toBe(2);
});

test('solves again by itself when the server says that the proof was used', async ({ page, problems }) => {
  problems.expect(/status of 403 .*\/lookup$/);
  const refusal = { error: 'This proof was used before.', code: 'proof-used' };
  await page.route('/lookup', (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 });
  await page.goto('/');
  await submit(page);
  await expectProfile(page);
});
