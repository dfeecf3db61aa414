import type { Page } from '@playwright/test';
import { expect, test } from './support.ts';
import { captcha, card, hold, ids, lookUp, lookupButton } from './visitor.ts';

const waysOut: Record<string, (page: Page) => Promise<void>> = {
  Escape: (page) => page.keyboard.press('Escape'),
  Cancel: (page) => page.getByRole('button', { name: 'Cancel' }).click(),
  'the cross': (page) => page.getByRole('button', { name: 'Close' }).click(),
  'the backdrop': (page) => page.mouse.click(5, 5),
};

test('closes in every way there is, and gives the focus back', async ({ page }) => {
  await hold(page, '/challenge');
  await page.goto('/');
  await page.getByLabel('Discord ID').fill(ids.ordinary);
  for (const [name, leave] of Object.entries(waysOut)) {
    await test.step(name, async () => {
      await lookupButton(page).click();
      await expect(captcha(page)).toBeVisible();
      await leave(page);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(lookupButton(page)).toBeFocused();
    });
  }
});

test('solves again by itself when the server says that the proof was used', async ({ page, problems }) => {
  problems.expect(/status of 403 .*\/lookup$/);
  const refusal = { error: 'This proof was used before.', code: 'proof-used' };
  await page.route('/lookup', (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 });
  await lookUp(page, ids.ordinary);
  await expect(card(page)).toBeVisible();
});
