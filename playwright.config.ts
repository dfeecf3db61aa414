import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, pid } from 'node:process';
import { defineConfig, type Project } from '@playwright/test';
import type { EngineName } from './test/engines/engine.ts';
import { freePort } from './test/support/free-port.ts';

// Every worker reads this file again, with the environment of the first.
env['E2E_PORT'] ??= String(await freePort());
env['E2E_SANDBOX_PORT'] ??= String(await freePort());
const baseURL = `http://localhost:${env['E2E_PORT']}`;

/** One worker each: to start an engine takes longer than a journey. */
const journeysIn = (engineName: EngineName): Project<object, { engineName: EngineName }> => ({
  name: engineName,
  testDir: 'test/engines',
  fullyParallel: false,
  use: { engineName },
});

export default defineConfig<object, { engineName: EngineName }>({
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  // They end what hangs: on a machine whose processor is lent to others a captcha takes its time.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  forbidOnly: env['CI'] !== undefined,
  reporter: 'list',
  use: {
    baseURL,
    locale: 'en-GB',
    // A request that goes through a worker cannot be answered by a test; offline.spec.ts has one.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: env['CHROMIUM_PATH'] || '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-gpu',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ],
    },
  },
  projects: [
    { name: 'e2e', testDir: 'test/e2e' },
    journeysIn('chromium'),
    journeysIn('firefox'),
    journeysIn('webkit'),
  ],
  webServer: {
    command: 'node bin/whoflake',
    url: baseURL,
    reuseExistingServer: false,
    stdout: 'ignore',
    env: {
      PORT: env['E2E_PORT'],
      ADMIN_PORT: '0',
      SANDBOX_PORT: env['E2E_SANDBOX_PORT'],
      DATA_DIR: join(tmpdir(), `whoflake-e2e-${pid}`),
      // All tests are one visitor, and a captcha of full difficulty in each would only take time.
      POW_MAX_NUMBER: '20000',
      CHALLENGES_PER_MINUTE: '100000',
      LOOKUPS_PER_MINUTE: '100000',
      LOOKUPS_PER_DAY: '100000',
    },
  },
});
