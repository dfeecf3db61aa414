// Takes a picture of every scene: `npm run screenshots`, with `-- --readme` only the one that the README shows.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { startAppProcess } from '#test/support/app-process.ts';
import { createPhotographer } from './photographer.ts';

const ROOT = join(import.meta.dirname, '../../..');
const UNLIMITED = '100000';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { readme: { type: 'boolean', default: false } },
});

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
const photographer = createPhotographer(browser, await app.origin);

if (values.readme) {
  const file = join(ROOT, 'docs/images/result.png');
  await photographer.takeResultCard(file);
  console.log(file);
} else {
  const folder = join(ROOT, 'screenshots');
  if (positionals.length === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const count = await photographer.takeScenes(folder, positionals);
  console.log(`${count} pictures in ${folder}`);
}
