import { join } from 'node:path';
import { env } from 'node:process';
import { chromium, type BrowserContextOptions, type Page } from '@playwright/test';
import type { FuzzResult } from '#test/attacks/tally.ts';
import { allScenes, type Scene } from '#test/browser/scenes/all-scenes.ts';
import { card, findProfile, ids } from '#test/browser/support/lookup-page.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import type { Suite } from '../suite.ts';
import { ROOMY } from '../world.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'screenshots');
const README_PICTURES = 'docs/images';
const WIDTHS = [360, 768, 1280];
const THEMES = ['light', 'dark'] as const;
const HEIGHT = 800;
const OPTIONS = { readme: false };

type NewPage = (options?: BrowserContextOptions) => Promise<Page>;

/** Otherwise a busy machine may not have drawn all of a long page yet. */
const painted = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const takeScene = async (newPage: NewPage, { name, open }: Scene): Promise<FuzzResult> => {
  await using page = await newPage();
  await open(page);
  // A modal covers what can be seen: the page below it is no part of the picture.
  const fullPage = (await page.getByRole('dialog').count()) === 0;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await painted(page);
      const path = join(FOLDER, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage, animations: 'disabled' });
    }
  }
  return { count: WIDTHS.length * THEMES.length, broken: 0 };
};

type ReadmePicture = BrowserContextOptions & {
  readonly name: string;
  readonly id: string;
  readonly isCardOnly?: true;
};
const README: readonly ReadmePicture[] = [
  {
    name: 'card',
    id: ids.ordinary,
    isCardOnly: true,
    viewport: { width: 720, height: HEIGHT },
    deviceScaleFactor: 2,
  },
  { name: 'phone', id: ids.tag, viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  { name: 'dark', id: ids.animated, viewport: { width: 960, height: 930 }, colorScheme: 'dark' },
];

const takeForReadme = async (
  newPage: NewPage,
  { name, id, isCardOnly, ...options }: ReadmePicture,
): Promise<FuzzResult> => {
  await using page = await newPage(options);
  await findProfile(page, id);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  await painted(page);
  const path = join(ROOT, README_PICTURES, `${name}.png`);
  await (isCardOnly ? card(page) : page).screenshot({ path, animations: 'disabled' });
  return { count: 1, broken: 0 };
};

export const suite: Suite<typeof OPTIONS, NewPage> = {
  about: 'Takes pictures of every scene; with --readme only those that the README shows.',
  options: OPTIONS,
  parts: ({ readme }) =>
    readme
      ? README.map((picture) => ({ name: picture.name, run: (newPage) => takeForReadme(newPage, picture) }))
      : allScenes.map((scene) => ({ name: scene.name, run: (newPage) => takeScene(newPage, scene) })),
  play: async (_options, runParts) => {
    await using app = startAppProcess({ ...ROOMY, POW_MAX_NUMBER: '1000' });
    await using browser = await chromium.launch({
      executablePath: env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    const baseURL = await app.origin;
    return await runParts((options) =>
      browser.newPage({ baseURL, locale: 'en-GB', reducedMotion: 'reduce', ...options }),
    );
  },
};
