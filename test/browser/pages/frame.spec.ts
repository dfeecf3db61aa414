import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { donation } from '../support/donation-forms.ts';
import { idField, ids, lookupButton } from '../support/lookup-page.ts';

test('§9, 24–27, 30–31, 42–43 header, footer, hero and banner lead to every page', async ({ page }) => {
  await page.goto('/');
  const hero = page.getByRole('main').locator('form ~ div', { hasText: 'How token donations work' });
  const banner = page.getByRole('complementary', { name: 'Support' });
  await expect(hero.getByRole('link', { name: 'How token donations work' })).toHaveAttribute(
    'href',
    '/token-donation',
  );
  await expect(banner).toContainText('Money pays for hosting; donated bot tokens keep lookups working.');
  await expect(banner.getByRole('link', { name: 'Support us' })).toHaveAttribute('href', '/donate');
  await hero.getByRole('button', { name: 'Donate a bot token' }).click();
  await expect(donation(page)).toBeVisible();
  await page.keyboard.press('Escape');
  for (const [frame, name, path, title] of [
    ['banner', 'Token Donation', '/token-donation', 'Token Donation'],
    ['banner', 'Support us', '/donate', 'Support us'],
    ['contentinfo', 'Contact us', '/contact', 'Contact us'],
    ['contentinfo', 'Support us', '/donate', 'Support us'],
    ['banner', 'Lookup', '/', 'Look up a Discord profile'],
  ] as const) {
    await page.getByRole(frame).getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  }
});

test('a phone shows both steps of a token donation, its risks and its button at once', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto('/token-donation');
  const main = page.getByRole('main');
  const parts = [
    main.getByText('Step 1'),
    main.getByText('Step 2'),
    main.getByRole('link', { name: 'The risks' }),
    main.getByRole('button', { name: 'Donate a bot token' }),
  ];
  for (const part of parts) await expect.soft(part).toBeInViewport({ ratio: 1 });
  await parts[2]?.click();
  await expect(main.getByRole('heading', { name: 'The risks' })).toBeInViewport();
  await expect(main.getByRole('heading', { level: 2 }).last()).toHaveText('Withdraw your token');
});

test('the theme is the system’s until the other one is chosen, in every tab', async ({ page, context }) => {
  const root = page.locator('html');
  const dark = (of: Page): Locator => of.getByRole('button', { name: 'Dark theme', pressed: true });
  const light = (of: Page): Locator => of.getByRole('button', { name: 'Dark theme', pressed: false });
  const bars = () =>
    page
      .locator('meta[name=theme-color]')
      .evaluateAll((metas) => metas.map((meta) => matchMedia((meta as HTMLMetaElement).media).matches));
  await page.goto('/donate');
  await expect(light(page)).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await dark(page).click();
  await expect(root).toHaveAttribute('data-theme', 'light');
  await expect.poll(bars).toEqual([true, false]);
  const other = await context.newPage();
  await other.goto('/donate');
  await expect(light(other)).toBeVisible();
  await light(page).click();
  await expect(root).not.toHaveAttribute('data-theme');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(light(page)).toBeVisible();
  await light(other).click();
  await expect(dark(page)).toBeVisible();
});

test('§28–29, 214 an address without a page says so and leads to the lookup', async ({ page, problems }) => {
  problems.expect(/status of 404/);
  // The last two are of the API, which takes no visits.
  for (const path of ['/donate/more', '/lookup', '/donate-token']) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'Back to Lookup' })).toHaveAttribute('href', '/');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('without scripts the status is told, and other pages say what needs them', async ({ page }) => {
    await page.goto('/status');
    const figures = page.getByRole('main');
    await expect(figures).toContainText(/Healthy[1-9]/);
    const again = page.waitForResponse((response) => response.url().includes('/status'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    expect((await again).status()).toBe(200);
    await expect(figures).toContainText(/Healthy[1-9]/);
    await page.goto('/token-donation');
    await expect(page.locator('section > noscript p')).toContainText(
      'Donating and withdrawing need JavaScript',
    );
    await page.goto('/');
    await expect(page.locator('noscript p')).toContainText('Lookups need JavaScript');
    // None that would do nothing.
    await expect(page.getByRole('main').getByRole('button')).toHaveText(['Lookup']);
    await idField(page).fill(ids.ordinary);
    await lookupButton(page).click();
    await expect(page).toHaveURL(`/?id=${ids.ordinary}`);
    await expect(page.locator('noscript p')).toBeVisible();
  });
});
