import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { BOT_TOKEN } from '../support/donation-forms.ts';
import { alert, idField, ids, lookupButton } from '../support/lookup-page.ts';

const navigation = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });

test('§17 the navigation of a narrow page opens from a menu button, as wide as the column', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/donate');
  const toggle = navigation(page).getByRole('button', { name: 'Menu' });
  const link = navigation(page).getByRole('link', { name: 'Token Donation' });
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await expect(link).toBeHidden();
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  const box = await navigation(page).getByRole('list').boundingBox();
  expect([box?.x, box?.width]).toEqual([16, 328]);
  await expect(navigation(page).getByRole('link', { name: 'Support us' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  const outside = await page.evaluate(() =>
    [...document.querySelectorAll('header *, footer *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth)
      .map(({ outerHTML }) => outerHTML.slice(0, 60)),
  );
  expect(outside, 'outside the page when text has twice the size').toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const brand = await page.getByRole('banner').getByRole('link', { name: 'Whoflake' }).boundingBox();
  for (const button of [toggle, page.getByRole('button', { name: 'Dark theme' })])
    expect((await button.boundingBox())?.y, 'beside the name').toBeLessThan(
      (brand?.y ?? 0) + (brand?.height ?? 0),
    );
  await page.keyboard.press('Escape');
  await expect(link).toBeHidden();
  await toggle.click();
  await link.click();
  await expect(page).toHaveURL('/token-donation');
});

test('§24–27 header and footer lead to every page, which is at its own address', async ({ page }) => {
  await page.goto('/');
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

test('the keyboard goes through the header in the order that is seen', async ({ page }) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto('/donate');
    await page.keyboard.press('Tab');
    const boxes: { x: number; y: number }[] = [];
    for (let presses = 0; presses < (width < 640 ? 3 : 5); presses += 1) {
      await page.keyboard.press('Tab');
      boxes.push(await page.evaluate(() => document.activeElement?.getBoundingClientRect() as DOMRect));
    }
    expect(boxes).toEqual([...boxes].sort((a, b) => a.x - b.x));
    expect(new Set(boxes.map(({ x }) => x)).size).toBe(boxes.length);
  }
});

test('the theme is the system’s until the other one is chosen, in every tab', async ({ page, context }) => {
  const root = page.locator('html');
  const dark = (of: Page): Locator => of.getByRole('button', { name: 'Dark theme', pressed: true });
  const light = (of: Page): Locator => of.getByRole('button', { name: 'Dark theme', pressed: false });
  await page.goto('/donate');
  await expect(light(page)).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await dark(page).click();
  await expect(root).toHaveAttribute('data-theme', 'light');
  const other = await context.newPage();
  await other.goto('/donate');
  await expect(light(other)).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(light(page)).toBeVisible();
  }
  await light(page).click();
  await expect(root).not.toHaveAttribute('data-theme');
  await expect(dark(page)).toBeVisible();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(light(page)).toBeVisible();
  await light(other).click();
  await expect(dark(page)).toBeVisible();
});

test('§28–29, 214 an address without a page says so, takes an ID, and leads back to the lookup', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 404/);
  // Two of them are of the API, which takes no visits.
  for (const path of ['/donate/more', '/index.html', '/%F0%9F%98%80', '/lookup', '/donate-token']) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'Back to Lookup' })).toHaveAttribute('href', '/');
  await idField(page).fill(BOT_TOKEN);
  await expect(page.getByText('That was a bot token, not an ID.')).toBeVisible();
  await expect(idField(page)).toHaveValue('');
  await idField(page).fill('somebody');
  await lookupButton(page).click();
  await expect(alert(page)).toContainText('looks like a name');
  await idField(page).fill(`<@${ids.ordinary}>`);
  await lookupButton(page).click();
  await expect(page).toHaveURL(`/?id=${ids.ordinary}`);
});

test('the list of languages begins where its button does, from the left and from the right', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const edgeOf = (words: Locator, edge: 'left' | 'right'): Promise<number> =>
    words.evaluate((element, side) => {
      const letters = document.createRange();
      letters.selectNodeContents(element);
      return letters.getBoundingClientRect()[side];
    }, edge);
  for (const [path, edge] of [
    ['/contact', 'left'],
    ['/ar/contact', 'right'],
  ] as const) {
    await page.goto(path);
    const button = page.locator('footer summary');
    await button.click();
    const start = await edgeOf(button, edge);
    for (const name of await page.locator('footer details a').all())
      expect(await edgeOf(name, edge)).toBeCloseTo(start, 0);
  }
});
