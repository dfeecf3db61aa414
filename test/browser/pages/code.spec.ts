import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { holdUntilReleased } from '../support/server-answers.ts';

const themeSwitch = (page: Page) => page.getByRole('button', { name: 'Dark theme' });

test('a press that is nothing but a click, as by a screen reader, is carried out', async ({ page }) => {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  await page.goto('/token-donation', { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Donate a bot token' }).dispatchEvent('click');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('the theme and the menu work before and after the code of the content has come', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const release = await holdUntilReleased(page, /\/assets\/react-.*\.js$/);
  await page.goto('/token-donation');
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
  await themeSwitch(page).click();
  await expect(themeSwitch(page)).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Donate a bot token' }).click();
  release();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(themeSwitch(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
});
