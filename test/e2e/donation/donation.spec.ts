import type { Page } from '@playwright/test';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { expect } from '../support/browser-test.ts';
import {
  donation,
  donationOpener,
  GONE,
  openDonation,
  receiptDialog,
  SAVED,
  saveReceipt,
  submitToken,
  tokenField,
  withdraw,
  withdrawalField,
} from '../support/donation-forms.ts';
import { alert, ids, lookUp } from '../support/lookup-page.ts';
import { testWithOwnServer as test } from '../support/own-server.ts';

const OTHER = '175928847299117063';
const NO_TOKEN = "We're out of working lookup tokens. Donate a bot token to bring lookups back.";
const RECEIPT = /WD(?:-[0-9A-Z]{1,5}){6}/;

const expectHealthy = async (page: Page, count: number): Promise<void> => {
  await page.goto('/status');
  await expect(page.locator('dl > div', { hasText: 'Tokens healthy' }).locator('dd')).toHaveText(
    String(count),
  );
};

test('a donated token brings lookups back until its receipt takes it away', async ({
  page,
  context,
  server,
  problems,
}) => {
  test.slow();
  problems.expect(/status of 503 .*\/lookup$/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);

  await lookUp(page, ids.ordinary);
  await expect(alert(page)).toContainText(NO_TOKEN);
  await alert(page).getByRole('link', { name: 'View status' }).click();
  await expect(page.getByText('Yes, we’re running low.')).toBeVisible();
  await page.getByRole('link', { name: 'Donate a bot token' }).click();

  await expect(donation(page)).toBeVisible();
  await submitToken(page, server.sandbox.mintToken(1));
  await expect(alert(page)).toContainText(SAVED);
  await expect(receiptDialog(page)).toContainText('we show it only once');
  await expect(tokenField(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Copy receipt' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(RECEIPT);
  const receipt = await page.evaluate(() => navigator.clipboard.readText());
  await expect(receiptDialog(page)).toContainText(receipt);
  await receiptDialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(receipt)).toHaveCount(0);

  await lookUp(page, ids.ordinary);
  await expect(page.getByRole('heading', { name: 'Marlow Finch' })).toBeVisible();
  await expectHealthy(page, 1);

  await page.goto('/token-donation');
  await withdraw(page, receipt);
  await expect(alert(page)).toHaveText(GONE);
  await expect(withdrawalField(page)).toHaveValue('');
  await expectHealthy(page, 0);
  await lookUp(page, OTHER);
  await expect(alert(page)).toContainText(NO_TOKEN);
  expect(Object.keys(server.sandbox.stats().schemes)).toEqual(['Bot']);
});

test('a token is withdrawn by itself, and the answer is the same when it is not there', async ({
  page,
  server,
  problems,
}) => {
  const token = server.sandbox.mintToken(1);
  await openDonation(page);
  await submitToken(page, token);
  await expect(alert(page)).toContainText(SAVED);
  await saveReceipt(page);
  await expectHealthy(page, 1);
  await page.goto('/token-donation');
  for (const secret of [token, token]) {
    await withdraw(page, secret);
    await expect(withdrawalField(page)).toHaveValue('');
    await expect(alert(page)).toHaveText(GONE);
  }
  problems.expect(/status of 422 .*\/withdraw-token$/);
  await withdraw(page, 'WD-NOSUCH');
  await expect(alert(page)).toContainText('This is neither a receipt nor a bot token.');
  await expectHealthy(page, 0);
});

type Refusal = { readonly token: (sandbox: Sandbox) => string; readonly sentence: string };

const refusals: Record<string, Refusal> = {
  'is not the shape of a bot token': {
    token: () => 'hello',
    sentence: "This doesn't look like a Discord bot token.",
  },
  'is a user token': {
    token: () => 'mfa.abcdefghijklmnopqrstuvwxyz0123456789',
    sentence: "This isn't a bot token. Never share your own account's token with anyone.",
  },
  'the platform rejects': {
    token: (sandbox) => {
      const token = sandbox.mintToken(2);
      sandbox.revoke(token);
      return token;
    },
    sentence: 'Discord rejected this token. Reset it in the developer portal and copy the new one.',
  },
  'is of a bot in servers': {
    token: (sandbox) => {
      const token = sandbox.mintToken(3);
      sandbox.setGuildCount(token, 2);
      return token;
    },
    sentence: 'This bot is in one or more servers. Create a new application and donate that bot instead.',
  },
  'cannot be checked now': {
    token: (sandbox) => {
      sandbox.faults.set({ status: { value: 500, count: 10, route: 'users/@me' } });
      return sandbox.mintToken(4);
    },
    sentence: "We can't check tokens right now. Please try again later.",
  },
};

test.describe('a token is refused that', () => {
  test.beforeEach(({ problems }) => problems.expect(/status of (?:4\d\d|503) .*\/donate-token$/));

  for (const [what, { token, sentence }] of Object.entries(refusals)) {
    test(what, async ({ page, server }) => {
      await openDonation(page);
      await submitToken(page, token(server.sandbox));
      await expect(alert(page)).toContainText(sentence);
      await expectHealthy(page, 0);
    });
  }

  test('we already have', async ({ page, server }) => {
    await openDonation(page);
    await submitToken(page, server.sandbox.mintToken(1));
    await expect(alert(page)).toContainText(SAVED);
    await saveReceipt(page);
    await donationOpener(page).click();
    await submitToken(page, server.sandbox.mintToken(1));
    await expect(alert(page)).toHaveText('We already have this token. Thank you!');
    await expectHealthy(page, 1);
  });

  test('is the fourth in an hour', async ({ page, server }) => {
    await openDonation(page);
    for (const n of [1, 2, 3]) {
      await submitToken(page, server.sandbox.mintToken(n));
      await expect(alert(page)).toContainText(SAVED);
      await saveReceipt(page);
      await donationOpener(page).click();
    }
    await submitToken(page, server.sandbox.mintToken(4));
    await expect(alert(page)).toContainText(
      'You have made too many requests.You can try again in 20 minutes.',
    );
    await expectHealthy(page, 3);
  });
});
