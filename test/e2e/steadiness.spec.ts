import type { Page } from '@playwright/test';
import { expect, test } from './support.ts';
import { card, ids, lookUp } from './visitor.ts';

type Shift = { readonly value: number; readonly moved: readonly string[] };

declare global {
  // oxlint-disable-next-line no-var -- a global of the page under test
  var shifts: Shift[];
}

const INPUT_WINDOW_MS = 700;

const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node?: Element }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        const moved = entry.sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 80) ?? '');
        globalThis.shifts.push({ value: entry.value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** What comes right after an input is forgiven, so the answers wait until that time is over. */
const slowAnswers = async (page: Page): Promise<void> => {
  for (const path of ['/challenge', '/lookup']) {
    await page.route(path, (route) => setTimeout(() => void route.continue(), INPUT_WINDOW_MS));
  }
};

const expectNoShift = async (page: Page): Promise<void> => {
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  );
  expect(await page.evaluate(() => globalThis.shifts)).toEqual([]);
};

for (const width of [360, 768, 1280]) {
  test(`nothing shifts during a lookup, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await watchShifts(page);
    await slowAnswers(page);
    await lookUp(page, ids.ordinary);
    await expect(card(page)).toBeVisible();
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    await expectNoShift(page);
  });
}

for (const path of ['/', '/?id=441997505123577857', '/token-donation', '/donate', '/contact']) {
  test(`nothing shifts while ${path} starts`, async ({ page }) => {
    await watchShifts(page);
    await page.route(/\/assets\/.*\.js/, (route) => setTimeout(() => void route.continue(), INPUT_WINDOW_MS));
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute(
      'aria-pressed',
      /true|false/,
    );
    await expectNoShift(page);
  });
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  for (const path of ['/', '/?id=441997505123577857', '/token-donation', '/donate', '/contact']) {
    test(`the largest text of ${path} is painted`, async ({ page }) => {
      await page.goto(path);
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toBeVisible();
      await expect(heading).toBeInViewport();
      await expect(page.getByRole('link', { name: 'Contact us' }).last()).toBeVisible();
    });
  }
});
