import type { Locator, Page } from '@playwright/test';
import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { test as base } from './support.ts';

export const SAVED = 'Token verified and saved. Thank you for helping keep the service alive!';
export const GONE = 'If this token was in the pool, it is gone now.';
export const withdrawalCaptcha = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Verify your withdrawal' });
export const withdrawalField = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Receipt or bot token' });

export const withdraw = async (page: Page, secret: string): Promise<void> => {
  await withdrawalField(page).fill(secret);
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
};

/** Notes every place where a secret shows up, but the one request that is to carry it. */
export const watchForLeaks = (
  page: Page,
  { secret, path }: { readonly secret: string; readonly path: string },
): { readonly found: () => Promise<string[]> } => {
  const leaks: string[] = [];
  const note = (place: string, text: string | null): unknown => text?.includes(secret) && leaks.push(place);
  page.on('console', (message) => note('console', message.text()));
  page.on('request', (request) => {
    note('address', decodeURIComponent(request.url()));
    if (!request.url().endsWith(path)) note(request.url(), request.postData());
  });
  return {
    found: async () => {
      note('page address', page.url());
      note('storage', await page.evaluate(() => JSON.stringify([localStorage, sessionStorage])));
      note('page', await page.content());
      return leaks;
    },
  };
};

type OwnServer = { readonly origin: string; readonly sandbox: Sandbox };

/** Each test has a server of its own, whose pool is empty and whose visitors have done nothing yet. */
export const testWithOwnServer = base.extend<{ settings: Record<string, string>; server: OwnServer }>({
  settings: [{}, { option: true }],
  server: async ({ settings }, use) => {
    const sandbox = createSandbox();
    const { apiUrl, cdnUrl } = await sandbox.listen();
    const app = startAppProcess({
      DISCORD_API_URL: apiUrl,
      DISCORD_CDN_URL: cdnUrl,
      POW_MAX_NUMBER: '10000',
      ...settings,
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
