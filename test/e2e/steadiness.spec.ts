import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support.ts';
import { alert, card, idField, ids } from './visitor.ts';

type Shift = { readonly value: number; readonly moved: readonly string[] };

declare global {
  // oxlint-disable-next-line no-var -- a global of the page under test
  var shifts: Shift[];
}

const INPUT_WINDOW_MS = 550;

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

const TOO_MANY = { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 40 };

const expectAnswerWithoutShift = async (page: Page, id: string, answered: Locator): Promise<void> => {
  await idField(page).press('ControlOrMeta+A');
  // By real keys: what is put into a field otherwise is no input, for which shifts would be forgiven.
  await page.keyboard.type(id);
  await page.keyboard.press('Enter');
  await expect(answered).toBeVisible();
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  await expectNoShift(page);
};

// In a tall window the end of the page is in sight as well.
for (const [width, height] of [
  [360, 800],
  [768, 1400],
  [1280, 1000],
] as const) {
  test(`nothing shifts during lookups, whatever comes of them, ${width}×${height}`, async ({
    page,
    problems,
  }) => {
    problems.expect(/status of (?:404|429) .*\/lookup$/);
    await page.setViewportSize({ width, height });
    await watchShifts(page);
    await slowAnswers(page);
    await page.goto('/');
    // The smallest card there is, smaller than its skeleton.
    await expectAnswerWithoutShift(page, ids.noAvatar, card(page));
    await expectAnswerWithoutShift(page, ids.nobody, alert(page));
    await page.route('/lookup', (route) =>
      setTimeout(() => void route.fulfill({ status: 429, json: TOO_MANY }), INPUT_WINDOW_MS),
    );
    await expectAnswerWithoutShift(page, ids.ordinary, alert(page).filter({ hasText: TOO_MANY.error }));
  });
}

const PATHS = ['/', `/?id=${ids.ordinary}`, '/token-donation', '/donate', '/contact', '/status'];

test('nothing shifts while a page starts', async ({ page }) => {
  await watchShifts(page);
  await page.route(/\/assets\/.*\.js/, (route) => setTimeout(() => void route.continue(), INPUT_WINDOW_MS));
  for (const path of PATHS) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute(
        'aria-pressed',
        /true|false/,
      );
      await expectNoShift(page);
    });
  }
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the largest text of every page is painted', async ({ page }) => {
    for (const path of PATHS) {
      await test.step(path, async () => {
        await page.goto(path);
        const heading = page.getByRole('heading', { level: 1 });
        await expect(heading).toBeVisible();
        await expect(heading).toBeInViewport();
        await expect(page.getByRole('link', { name: 'Contact us' }).last()).toBeVisible();
      });
    }
  });
});
