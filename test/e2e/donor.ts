import type { Locator, Page } from '@playwright/test';
import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { test as base } from './support.ts';

export const SAVED = 'Token verified and saved. Thank you for helping keep the service alive!';
export const GONE = 'If this token was in the pool, it is gone now.';
/** Has the shape of a token; no platform knows it. */
export const TOKEN = 'MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.not-a-real-token-but-shaped-like-one';

export const donation = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Donate a Discord bot token' });
export const donationField = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Bot Token', exact: true });
export const withdrawalField = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Receipt or bot token' });

export const openDonation = async (page: Page): Promise<void> => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Donate a bot token' }).click();
  await donation(page).waitFor();
};

export const donate = async (page: Page, token = TOKEN): Promise<void> => {
  await donationField(page).fill(token);
  await page.getByRole('button', { name: 'Submit & Verify' }).click();
};

export const withdraw = async (page: Page, secret: string): Promise<void> => {
  await withdrawalField(page).fill(secret);
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
};

export const holdChallenges = (page: Page): Promise<unknown> => page.route('/challenge', () => undefined);

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
