import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { holdUntilReleased } from '../support/server-answers.ts';

const fontOfHeading = async (page: Page): Promise<string | undefined> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts[0]?.familyName;
};

for (const [path, below] of [
  ['/', 'main aside'],
  ['/pl/privacy', 'h1 + *'],
] as const)
  test(`the first page can be read before it is set in the typeface: ${path}`, async ({ page }) => {
    await page.setViewportSize({ width: 412, height: 823 });
    const release = await holdUntilReleased(page, /\.woff2$/);
    await page.goto(path, { waitUntil: 'commit' });
    const next = page.locator(below).first();
    await expect(next).toBeVisible();
    expect(await fontOfHeading(page)).not.toMatch(/^Figtree/);
    const before = await next.boundingBox();
    release();
    await expect.poll(() => fontOfHeading(page)).toMatch(/^Figtree/);
    // As wide and as high as what stood there before: what is below does not move.
    expect((await next.boundingBox())?.y).toBe(before?.y);
  });

test('the typeface comes from here, rarer letters with the first name that has them', async ({ page }) => {
  const basic = page.waitForResponse(/figtree-basic-[\w-]{8}\.woff2$/);
  await page.goto('/');
  expect((await basic).headers()).toMatchObject({
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=31536000, immutable',
  });
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
