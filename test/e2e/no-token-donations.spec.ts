import type { Page } from '@playwright/test';
import { startAppProcess } from '#test/support/app-process.ts';
import { expect, expectNoAxeViolations, test as base } from './support.ts';
import { alert, answer, BOT_TOKEN, card, idField, ids, submitId } from './visitor.ts';

const test = base.extend<object, { originWithoutDonations: string }>({
  originWithoutDonations: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern
    async ({}, use) => {
      await using app = startAppProcess({ TOKEN_DONATIONS: 'off', POW_MAX_NUMBER: '1000' });
      await use(await app.origin);
    },
    { scope: 'worker' },
  ],
});

const expectNoPlea = async (page: Page): Promise<void> => {
  expect(await page.locator('body').innerText()).not.toMatch(
    /donate(?:d|s)? (?:a )?(?:bot )?token|token donation/i,
  );
  await expect(page.getByRole('button', { name: /token/i })).toHaveCount(0);
  await expect(page.locator('a[href*="token"]')).toHaveCount(0);
};

test.describe('a site that takes no tokens', () => {
  test('asks for none on any page', async ({ page, problems, originWithoutDonations }) => {
    problems.expect(/status of 404 .*\/no\/such\/page$/);
    for (const path of ['/', '/donate', '/contact', '/status', '/no/such/page']) {
      await test.step(path, async () => {
        await page.goto(originWithoutDonations + path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectNoPlea(page);
        expect(await page.locator('head').innerHTML()).not.toMatch(/donate[^"]*token/i);
      });
    }
  });

  test('says so where the donation is explained elsewhere', async ({ page, originWithoutDonations }) => {
    await page.goto(`${originWithoutDonations}/token-donation`);
    await expect(page.getByRole('main')).toContainText('takes no bot tokens');
    await expect(page.getByRole('link', { name: 'Back to Lookup' })).toBeVisible();
    await expectNoAxeViolations(page);
  });

  test('opens no donation from an address', async ({ page, originWithoutDonations }) => {
    await page.goto(`${originWithoutDonations}/#donate-token`);
    await expect(page).toHaveURL(`${originWithoutDonations}/`);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('offers none when its pool is empty', async ({ page, problems, originWithoutDonations }) => {
    problems.expect(/status of 503 .*\/lookup$/);
    await answer(page, `${originWithoutDonations}/lookup`, {
      status: 503,
      json: { error: 'No working lookup token is left.', code: 'pool-empty' },
    });
    await page.goto(originWithoutDonations);
    await submitId(page, ids.ordinary);
    await expect(alert(page)).toContainText('No working lookup token is left.');
    await expectNoPlea(page);
    await alert(page).getByRole('link', { name: 'See the status' }).click();
    await expect(page.getByText('None so far')).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText(/donat/i);
  });

  test('takes a pasted token for nothing but a mistake', async ({ page, originWithoutDonations }) => {
    await page.goto(originWithoutDonations);
    await idField(page).fill(BOT_TOKEN);
    await expect(alert(page)).toContainText('has not been sent anywhere');
    await expect(idField(page)).toHaveValue('');
    await expectNoPlea(page);
  });

  test('looks up as always', async ({ page, originWithoutDonations }) => {
    await page.goto(originWithoutDonations);
    await submitId(page, ids.ordinary);
    await expect(card(page)).toBeVisible();
    await expectNoPlea(page);
  });
});
