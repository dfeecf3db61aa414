import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';

/** How much code has been loaded, in bytes as they come. React alone is more than `MUCH`. */
const watchCode = (page: Page): (() => number) => {
  let bytes = 0;
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) bytes += Number(response.headers()['content-length']);
  });
  return () => bytes;
};
const MUCH = 40_000;

const themeSwitch = (page: Page) => page.getByRole('button', { name: 'Dark theme' });

test('a page of text loads the code of the frame alone, whatever is done with it', async ({ page }) => {
  const code = watchCode(page);
  for (const path of ['/privacy', '/help', '/contact', '/donate', '/ar/privacy']) {
    await page.goto(path);
    await page.getByRole('banner').getByRole('button').last().click();
    await page.mouse.wheel(0, 400);
    await expect(page.locator('#theme')).toHaveAttribute('aria-pressed', 'true');
    await page.locator('#theme').click();
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await expect(page.locator('#status')).toContainText('·');
  }
  expect(code()).toBeGreaterThan(0);
  // Five pages, whose code comes from the cache after the first.
  expect(code()).toBeLessThan(MUCH);
});

for (const path of ['/token-donation', '/status', '/no/such/page'])
  test(`a page that is read more than used loads React once somebody does something: ${path}`, async ({
    page,
    problems,
  }) => {
    problems.expect(/status of 404/);
    const code = watchCode(page);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(themeSwitch(page)).toHaveAttribute('aria-pressed', 'false');
    expect(code()).toBeLessThan(MUCH);
    await page.keyboard.press('Tab');
    await expect.poll(code).toBeGreaterThan(MUCH);
  });

test('a status that stays on a screen is kept up to date without anybody doing anything', async ({
  page,
}) => {
  const code = watchCode(page);
  await page.clock.install();
  await page.goto('/status', { waitUntil: 'networkidle' });
  await page.clock.fastForward(10_000);
  await expect.poll(code).toBeGreaterThan(MUCH);
});

test('a press that is nothing but a click, as by a screen reader, is carried out', async ({ page }) => {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  await page.goto('/token-donation', { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Donate a bot token' }).dispatchEvent('click');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('the theme and the menu work before and after the code of the content has come', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/react-.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
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
