import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, pid } from 'node:process';
import { defineConfig } from '@playwright/test';

/** The next port and the one ten above it are taken too. */
const PORT = Number(env['E2E_PORT'] ?? 18_080);
const baseURL = `http://localhost:${PORT}`;

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  // A captcha is solved in the meantime, on machines that may be busy.
  expect: { timeout: 15_000 },
  forbidOnly: env['CI'] !== undefined,
  reporter: 'list',
  use: {
    baseURL,
    locale: 'en-GB',
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
  webServer: {
    command: 'node src/server/main.ts',
    url: baseURL,
    reuseExistingServer: false,
    stdout: 'ignore',
    env: {
      PORT: String(PORT),
      ADMIN_PORT: String(PORT + 10),
      SANDBOX_PORT: String(PORT + 1),
      PUBLIC_URL: baseURL,
      DATA_DIR: join(tmpdir(), `whoflake-e2e-${pid}`),
      // All tests are one visitor, and a captcha of full difficulty in each would only take time.
      POW_MAX_NUMBER: '20000',
      CHALLENGES_PER_MINUTE: '100000',
      LOOKUPS_PER_MINUTE: '100000',
      LOOKUPS_PER_DAY: '100000',
    },
  },
});
