import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';

/** The font that the browser paints a heading with. */
const fontOfHeading = async (page: Page): Promise<string | undefined> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts[0]?.familyName;
};

const watchPaints = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Object.assign(globalThis, { shifts: [] });
    new PerformanceObserver((list) => {
      (globalThis as unknown as { shifts: unknown[] }).shifts.push(...list.getEntries());
    }).observe({ type: 'layout-shift', buffered: true });
  });

const shiftsOn = (page: Page): Promise<unknown[]> =>
  page.evaluate(() => (globalThis as unknown as { shifts: unknown[] }).shifts);

const faceIsFetched = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.fonts].some(({ family, status }) => family === 'Figtree' && status === 'loaded'),
  );

for (const path of ['/', '/de/help', '/pl/privacy'])
  test(`the first page is painted without the typeface, the next one with it, and none moves: ${path}`, async ({
    page,
  }) => {
    await watchPaints(page);
    await page.goto(path);
    expect(await fontOfHeading(page)).not.toMatch(/^Figtree/);
    await expect.poll(() => faceIsFetched(page)).toBe(true);
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('face'))).toBe('');
    expect(await fontOfHeading(page)).not.toMatch(/^Figtree/);
    expect(await shiftsOn(page)).toEqual([]);

    await page.goto(path);
    // A slow machine may paint before it has read the file, and then keeps the other font.
    const families = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
    expect(families).toMatch(/^"?Figtree"?,/);
    await page.evaluate(() => document.fonts.ready);
    expect(await shiftsOn(page)).toEqual([]);
  });

test('a page whose typeface does not come in time keeps the letters that it was painted with', async ({
  page,
}) => {
  await page.addInitScript(() => sessionStorage.setItem('face', ''));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\.woff2$/, async (route) => {
    await held;
    await route.continue();
  });
  await watchPaints(page);
  await page.goto('/help', { waitUntil: 'commit' });
  // A text is the largest paint only once it is painted in another font.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver(resolve).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
  release();
  await expect.poll(() => faceIsFetched(page)).toBe(true);
  expect(await fontOfHeading(page)).not.toMatch(/^Figtree/);
  expect(await shiftsOn(page)).toEqual([]);
});

test('the typeface comes from here, once for good, and rarer letters with the first name that has them', async ({
  page,
}) => {
  const basic = page.waitForResponse(/figtree-basic-[\w-]{8}\.woff2$/);
  await page.goto('/');
  expect((await basic).headers()).toMatchObject({
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=31536000, immutable',
  });
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
