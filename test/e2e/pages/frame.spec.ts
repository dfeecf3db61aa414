import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { idField } from '../support/lookup-page.ts';

const navigation = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });

for (const [path, title] of [
  ['/', null],
  ['/token-donation', 'Token Donation'],
  ['/donate', 'Support us'],
  ['/contact', 'Contact us'],
] as const) {
  test(`${path} is ${title ?? 'the lookup page'}, with the main pages in its header and the disclaimer in its footer`, async ({
    page,
  }) => {
    expect((await page.goto(path))?.status()).toBe(200);
    const own = title === null ? idField(page) : page.getByRole('heading', { level: 1, name: title });
    await expect.soft(own).toBeVisible();
    const header = page.getByRole('banner');
    await expect.soft(header.getByRole('link', { name: 'Whoflake' })).toBeVisible();
    await expect.soft(header.getByText('Unofficial Lookup', { exact: true })).toBeVisible();
    for (const [name, href] of [
      ['Lookup', '/'],
      ['Token Donation', '/token-donation'],
      ['Support us', '/donate'],
    ] as const) {
      const link = navigation(page).getByRole('link', { name, exact: true });
      await expect.soft(link).toHaveAttribute('href', href);
    }

    const footer = page.getByRole('contentinfo');
    await expect.soft(footer).toContainText('not affiliated with, endorsed by or sponsored by Discord');
    for (const [name, href] of [
      ['Support us', '/donate'],
      ['Contact us', '/contact'],
    ] as const) {
      await expect.soft(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
    }
  });
}

test('the navigation of a narrow page opens from a menu button', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/donate');
  const toggle = navigation(page).getByRole('button', { name: 'Menu' });
  const link = navigation(page).getByRole('link', { name: 'Token Donation' });
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await expect(link).toBeHidden();
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(navigation(page).getByRole('link', { name: 'Support us' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await page.keyboard.press('Escape');
  await expect(link).toBeHidden();
  await toggle.click();
  await link.click();
  await expect(page).toHaveURL('/token-donation');
});

for (const width of [360, 1280]) {
  test(`the keyboard goes through the header in the order that is seen, ${width} px wide`, async ({
    page,
  }) => {
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
  });
}

test('an open menu is as wide as the column', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  await navigation(page).getByRole('button', { name: 'Menu' }).click();
  const box = await navigation(page).getByRole('list').boundingBox();
  expect([box?.x, box?.width]).toEqual([16, 328]);
});

test('the typeface comes from here, once for good', async ({ page }) => {
  const fetched = page.waitForResponse(/figtree-basic-[\w-]{8}\.woff2$/);
  await page.goto('/');
  expect((await fetched).headers()).toMatchObject({
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(
    await page.evaluate(async () =>
      (await document.fonts.load('700 16px Figtree')).map(({ status }) => status),
    ),
  ).toEqual(['loaded']);
});

test('letters that only some names have are fetched with the first of them', async ({ page }) => {
  await page.goto('/');
  const fetched = (): Promise<(string | undefined)[]> =>
    page.evaluate(async () => {
      await document.fonts.ready;
      const files = performance.getEntriesByType('resource').map(({ name }) => name);
      return files
        .filter((name) => name.endsWith('.woff2'))
        .map((name) => /figtree-([a-z]+)/.exec(name)?.[1]);
    });
  await expect.poll(fetched).toEqual(['basic']);
  for (const [text, range] of [
    ['Ame\u0301lie Zoë', 'U+A1-FF'],
    ['Đorđe Őry', 'U+100-2BA'],
    ['“Plain” · 18 € …', 'U+20-7E'],
  ] as const) {
    const ranges = await page.evaluate(async (letters) => {
      const fonts = await document.fonts.load('16px Figtree', letters);
      return fonts.filter(({ status }) => status === 'loaded').map(({ unicodeRange }) => unicodeRange);
    }, text);
    expect(ranges.some((some) => some.startsWith(range))).toBe(true);
  }
});

test('text of twice the size leaves nothing outside a narrow page', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/contact');
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  await navigation(page).getByRole('button', { name: 'Menu' }).click();
  const outside = await page.evaluate(() =>
    [...document.querySelectorAll('header *, footer *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth)
      .map(({ outerHTML }) => outerHTML.slice(0, 60)),
  );
  expect(outside).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

for (const path of ['/nothing', '/donate/more', '/index.html', '/%F0%9F%98%80']) {
  test(`${path} is no page, and leads back to the lookup`, async ({ page, problems }) => {
    problems.expect(/status of 404/);
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to Lookup' }).click();
    await expect(page).toHaveURL('/');
    await expect(page).toHaveTitle('Whoflake: Discord profile lookup');
  });
}

test('what first paint needs stands in the page itself', async ({ request }) => {
  const html = await (await request.get('/')).text();
  expect(html).toContain('<style>');
  expect(html).not.toContain('rel="stylesheet"');
});
