import type { Page } from '@playwright/test';
import { startAppProcess } from '#test/support/app-process.ts';
import { expectNoAxeViolations } from '../support/axe.ts';
import { expect, test as base } from '../support/browser-test.ts';
import { BOT_TOKEN, GONE, withdraw } from '../support/donation-forms.ts';
import { alert, card, idField, ids, submitId } from '../support/lookup-page.ts';
import { answer } from '../support/server-answers.ts';

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

const expectNoRequestForTokens = async (page: Page): Promise<void> => {
  expect(await page.locator('body').innerText()).not.toMatch(
    /donate(?:d|s)? (?:a )?(?:bot )?token|token donation/i,
  );
  await expect(page.getByRole('button', { name: /token/i })).toHaveCount(0);
  await expect(page.locator('a[href*="token"]')).toHaveCount(0);
};

test.describe('a site that takes no tokens', () => {
  for (const path of ['/', '/donate', '/contact', '/status', '/no/such/page']) {
    test(`asks for none on ${path}`, async ({ page, problems, originWithoutDonations }) => {
      problems.expect(/status of 404 .*\/no\/such\/page$/);
      await page.goto(originWithoutDonations + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoRequestForTokens(page);
      expect(await page.locator('head').innerHTML()).not.toMatch(/donate[^"]*token/i);
    });
  }

  test('says so on the page that would explain the donation', async ({ page, originWithoutDonations }) => {
    await page.goto(`${originWithoutDonations}/token-donation`);
    await expect(page.getByRole('main')).toContainText('don’t accept bot tokens');
    await expect(page.getByRole('link', { name: 'Back to Lookup' })).toBeVisible();
    await expectNoAxeViolations(page);
  });

  test('gives back what was lent earlier', async ({ page, originWithoutDonations }) => {
    await page.goto(`${originWithoutDonations}/token-donation`);
    await withdraw(page, BOT_TOKEN);
    await expect(alert(page)).toHaveText(GONE);
  });

  test('opens no donation dialog from an address', async ({ page, originWithoutDonations }) => {
    await page.goto(`${originWithoutDonations}/#donate-token`);
    await expect(page).toHaveURL(`${originWithoutDonations}/`);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('does not ask for one when its pool is empty', async ({ page, problems, originWithoutDonations }) => {
    problems.expect(/status of 503 .*\/lookup$/);
    await answer(page, `${originWithoutDonations}/lookup`, {
      status: 503,
      json: { error: "We're out of working lookup tokens.", code: 'pool-empty' },
    });
    await page.goto(originWithoutDonations);
    await submitId(page, ids.ordinary);
    await expect(alert(page)).toContainText("We're out of working lookup tokens.");
    await expectNoRequestForTokens(page);
    await alert(page).getByRole('link', { name: 'View status' }).click();
    await expect(page.getByText('None so far')).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText(/donat/i);
  });

  test('removes a pasted token without offering to donate it', async ({ page, originWithoutDonations }) => {
    await page.goto(originWithoutDonations);
    await idField(page).fill(BOT_TOKEN);
    await expect(alert(page)).toContainText('didn’t send it anywhere');
    await expect(idField(page)).toHaveValue('');
    await expectNoRequestForTokens(page);
  });

  test('looks profiles up as always', async ({ page, originWithoutDonations }) => {
    await page.goto(originWithoutDonations);
    await submitId(page, ids.ordinary);
    await expect(card(page)).toBeVisible();
    await expectNoRequestForTokens(page);
  });
});
