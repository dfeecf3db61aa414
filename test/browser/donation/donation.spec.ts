import type { Page } from '@playwright/test';
import { createSandbox } from '#sandbox/sandbox.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { expect, test } from '../support/browser-test.ts';
import {
  donation,
  GONE,
  receiptDialog,
  SAVED,
  submitToken,
  tokenField,
  withdraw,
  withdrawalField,
} from '../support/donation-forms.ts';
import { goToInteractive } from '../support/interactive.ts';
import { alert, ids, submitId } from '../support/lookup-page.ts';

const OTHER = '175928847299117063';
const NO_TOKEN = 'Lookups are down: we’ve run out of bot tokens. You can help by donating one.';
const RECEIPT = /WD(?:-[0-9A-Z]{1,5}){6}/;

const expectHealthy = async (page: Page, origin: string, count: number): Promise<void> => {
  await goToInteractive(page, `${origin}/status`, 'frame');
  // What the page came with may be a second old; its code reads newer figures once somebody does something.
  await page.keyboard.press('Shift');
  await expect(page.locator('dl > div', { hasText: 'Healthy' }).locator('dd').first()).toHaveText(
    String(count),
  );
};

test('§6 a donated token brings lookups back until its receipt takes it away', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/status of 503 .*\/lookup$/);
  const sandbox = createSandbox();
  const { cdnUrl } = await sandbox.listen();
  await using app = startAppProcess({
    DISCORD_API_URL: `${cdnUrl}/api/v10`,
    DISCORD_CDN_URL: cdnUrl,
    POW_MAX_NUMBER: '1000',
  });
  const origin = await app.origin;

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);

  await page.goto(origin);
  await submitId(page, ids.ordinary);
  await expect(alert(page)).toContainText(NO_TOKEN);
  await alert(page).getByRole('link', { name: 'View status' }).click();
  await expect(page.getByText('Yes, we’re running low.')).toBeVisible();
  await page.getByRole('link', { name: 'Donate a bot token' }).click();

  await expect(donation(page)).toBeVisible();
  await submitToken(page, sandbox.mintToken(1));
  await expect(alert(page)).toContainText(SAVED);
  await expect(receiptDialog(page)).toContainText('we can’t show it again');
  await expect(tokenField(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Copy receipt' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(RECEIPT);
  const receipt = await page.evaluate(() => navigator.clipboard.readText());
  await expect(receiptDialog(page)).toContainText(receipt);
  await receiptDialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(receipt)).toHaveCount(0);

  await submitId(page, ids.ordinary);
  await expect(page.getByRole('heading', { name: 'Marlow Finch' })).toBeVisible();
  await expectHealthy(page, origin, 1);

  await page.goto(`${origin}/token-donation`);
  await withdraw(page, receipt);
  await expect(alert(page)).toHaveText(GONE);
  await expect(withdrawalField(page)).toHaveValue('');
  await expectHealthy(page, origin, 0);
  await page.goto(origin);
  await submitId(page, OTHER);
  await expect(alert(page)).toContainText(NO_TOKEN);
  expect(Object.keys(sandbox.stats().schemes)).toEqual(['Bot']);
  // Before its servers.
  await page.close();
  await sandbox.close();
});

test('on a phone the buttons of the dialog are on the screen, also where its words are long', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ['/de', '/fr', '/ru']) {
    await page.goto(`${path}#donate-token`);
    const buttons = page.getByRole('dialog').locator('form button');
    await expect(buttons).toHaveCount(2);
    for (const button of await buttons.all())
      await expect.soft(button, path).toBeInViewport({ ratio: 1, timeout: 2_000 });
    await page.goto('about:blank');
  }
});
