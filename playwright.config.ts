import { availableParallelism } from 'node:os';
import { env } from 'node:process';
import { defineConfig, type Project } from '@playwright/test';
import type { JourneyBrowser } from './test/release/browsers/browser.ts';
import { freePort } from './test/support/free-port.ts';

// Every worker reads this file again, with the environment of the first.
env['E2E_PORT'] ??= String(await freePort());
const baseURL = `http://localhost:${env['E2E_PORT']}`;

/** One worker each: a browser takes longer to start than a journey takes. */
const journeysIn = (journeyBrowser: JourneyBrowser): Project<object, { journeyBrowser: JourneyBrowser }> => ({
  name: journeyBrowser,
  testDir: 'test/release/browsers',
  workers: 1,
  use: { journeyBrowser },
});

export default defineConfig<object, { journeyBrowser: JourneyBrowser }>({
  outputDir: 'test-results',
  workers: availableParallelism(),
  fullyParallel: true,
  // They only end what hangs, on a machine that is busy with something else, too.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  forbidOnly: env['CI'] !== undefined,
  reporter: 'list',
  use: {
    baseURL,
    // English, so that none other is offered, but not that of the pages: their dates are the same for everybody.
    locale: 'en-US',
    screenshot: 'only-on-failure',
    // To draw what moves takes a quarter of the time. Where it could matter, tests ask for it; the journeys have it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: env['CHROMIUM_PATH'] || '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ],
    },
  },
  projects: [
    // First, because it is the longest, and in one worker, because each builds a site of its own for it.
    { name: 'scenes', testDir: 'test/browser/scenes', fullyParallel: false },
    { name: 'e2e', testDir: 'test/browser', testIgnore: '**/scenes/**' },
    journeysIn('firefox'),
    journeysIn('webkit'),
  ],
  webServer: {
    command: 'node bin/whoflake',
    url: baseURL,
    reuseExistingServer: false,
    timeout: 120_000,
    stdout: 'ignore',
    env: {
      PORT: env['E2E_PORT'],
      ADMIN_PORT: '0',
      // In what Playwright empties before each run.
      DATA_DIR: 'test-results/site',
      // As at real sites; the sandbox would relay them.
      PICTURES: 'direct',
      // All tests are one visitor, and a captcha of full difficulty in each would only take time.
      POW_MAX_NUMBER: '1000',
      LOOKUPS_PER_MINUTE: '100000',
    },
  },
});
