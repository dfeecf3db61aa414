import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { chromium } from '@playwright/test';
import { allScenes } from '#test/e2e/scenes/all-scenes.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import type { Suite } from '../suite.ts';
import { createPhotographer, type Photographer } from './photographer.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'screenshots');
const UNLIMITED = '100000';
const OPTIONS = { readme: false };

/** Of scenes that there are no more. */
const removeOld = (): void => {
  for (const file of readdirSync(FOLDER))
    if (!allScenes.some(({ name }) => file.startsWith(`${name}-`))) rmSync(join(FOLDER, file));
};

export const suite: Suite<typeof OPTIONS, Photographer> = {
  about: 'Takes pictures of every scene; with --readme only the one that the README shows.',
  options: OPTIONS,
  parts: ({ readme }) =>
    readme
      ? [
          {
            name: 'docs/images/result.png',
            run: ({ takeResultCard }) => takeResultCard(join(ROOT, 'docs/images/result.png')),
          },
        ]
      : allScenes.map((scene) => ({
          name: scene.name,
          run: ({ takeScene }) => takeScene(FOLDER, scene),
        })),
  play: async ({ readme }, runParts) => {
    await using app = startAppProcess({
      POW_MAX_NUMBER: '1000',
      CHALLENGES_PER_MINUTE: UNLIMITED,
      LOOKUPS_PER_MINUTE: UNLIMITED,
      LOOKUPS_PER_DAY: UNLIMITED,
    });
    await using browser = await chromium.launch({
      executablePath: env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    mkdirSync(FOLDER, { recursive: true });
    if (!readme) removeOld();
    return runParts(createPhotographer(browser, await app.origin));
  },
};
