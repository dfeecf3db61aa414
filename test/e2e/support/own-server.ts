import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { test as base } from './browser-test.ts';

type OwnServer = { readonly origin: string; readonly sandbox: Sandbox };

/** Each test has a server of its own, whose pool is empty and whose visitors have done nothing yet. */
export const testWithOwnServer = base.extend<{ server: OwnServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern
  server: async ({}, use) => {
    const sandbox = createSandbox();
    const { apiUrl, cdnUrl } = await sandbox.listen();
    const app = startAppProcess({
      DISCORD_API_URL: apiUrl,
      DISCORD_CDN_URL: cdnUrl,
      POW_MAX_NUMBER: '10000',
    });
    try {
      await use({ origin: await app.origin, sandbox });
    } finally {
      await app[Symbol.asyncDispose]();
      await sandbox.close();
    }
  },
  baseURL: async ({ server }, use) => use(server.origin),
});
