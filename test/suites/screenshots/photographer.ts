import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { FuzzResult } from '#test/fuzz/tally.ts';
import type { Scene } from '#test/e2e/scenes/scene.ts';
import { card, findProfile, ids } from '#test/e2e/support/lookup-page.ts';

/** Both resolve to the number of pictures. */
export type Photographer = {
  /** In every width and theme. */
  readonly takeScene: (folder: string, scene: Scene) => Promise<FuzzResult>;
  /** One result card without the page around it. */
  readonly takeResultCard: (file: string) => Promise<FuzzResult>;
};

const WIDTHS = [360, 768, 1280];
const THEMES = ['light', 'dark'] as const;
const HEIGHT = 800;

/** Else a busy machine has not drawn all of a long page yet. */
const painted = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

export const createPhotographer = (browser: Browser, baseURL: string): Photographer => {
  const newPage = (options: BrowserContextOptions = {}): Promise<Page> =>
    browser.newPage({ baseURL, locale: 'en-GB', reducedMotion: 'reduce', ...options });

  return {
    takeScene: async (folder, { name, open }) => {
      await using page = await newPage();
      await open(page);
      // A modal covers what can be seen: the page below it is no part of the picture.
      const fullPage = (await page.getByRole('dialog').count()) === 0;
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme });
          await painted(page);
          const path = join(folder, `${name}-${width}-${colorScheme}.png`);
          await page.screenshot({ path, fullPage, animations: 'disabled' });
        }
      }
      return { count: WIDTHS.length * THEMES.length, broken: 0 };
    },

    takeResultCard: async (path) => {
      await using page = await newPage({ colorScheme: 'dark', viewport: { width: 720, height: HEIGHT } });
      await findProfile(page, ids.ordinary);
      await page.waitForFunction(() => [...document.images].every((image) => image.complete));
      await card(page).screenshot({ path, animations: 'disabled' });
      return { count: 1, broken: 0 };
    },
  };
};
