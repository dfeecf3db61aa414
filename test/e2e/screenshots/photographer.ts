import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { allScenes } from '../scenes/all-scenes.ts';
import { card, findProfile, ids } from '../support/lookup-page.ts';

export type Photographer = {
  /** All scenes, or those whose names contain one of the words, in every width and theme. Resolves to the number of pictures. */
  readonly takeScenes: (folder: string, words: readonly string[]) => Promise<number>;
  /** One result card without the page around it. */
  readonly takeResultCard: (file: string) => Promise<void>;
};

const WIDTHS = [360, 768, 1280];
const THEMES = ['light', 'dark'] as const;
const HEIGHT = 800;

/** Else a busy machine has not drawn all of a long page yet. */
const painted = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const takeScene = async (page: Page, folder: string, name: string): Promise<number> => {
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
  return WIDTHS.length * THEMES.length;
};

export const createPhotographer = (browser: Browser, baseURL: string): Photographer => {
  const newPage = (options: BrowserContextOptions = {}): Promise<Page> =>
    browser.newPage({ baseURL, locale: 'en-GB', reducedMotion: 'reduce', ...options });

  return {
    takeScenes: async (folder, words) => {
      let count = 0;
      for (const { name, open } of allScenes) {
        if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
        const page = await newPage();
        await open(page);
        count += await takeScene(page, folder, name);
        await page.close();
      }
      return count;
    },

    takeResultCard: async (path) => {
      const page = await newPage({ colorScheme: 'dark', viewport: { width: 720, height: HEIGHT } });
      await findProfile(page, ids.ordinary);
      await page.waitForFunction(() => [...document.images].every((image) => image.complete));
      await card(page).screenshot({ path, animations: 'disabled' });
      await page.close();
    },
  };
};
