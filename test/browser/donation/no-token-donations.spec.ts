import type { Page } from '@playwright/test';
import { startAppProcess } from '#test/support/app-process.ts';
import { expectNoAxeViolations } from '../support/axe.ts';
import { expect, test } from '../support/browser-test.ts';
import { BOT_TOKEN, GONE, withdraw } from '../support/donation-forms.ts';
import { alert, card, idField, ids, submitId } from '../support/lookup-page.ts';

const expectNoRequestForTokens = async (page: Page): Promise<void> => {
  await expect(page.getByRole('main')).not.toContainText(
    /donate(?:d|s)? (?:a )?(?:bot )?token|token donation/i,
  );
  await expect(page.getByRole('button', { name: /token/i })).toHaveCount(0);
  await expect(page.locator('a[href*="token"]')).toHaveCount(0);
};

test('a site that takes no tokens asks for none, and gives back what was lent', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 503 .*\/lookup$/);
  await using app = startAppProcess({ TOKEN_DONATIONS: 'off', POW_MAX_NUMBER: '1000' });
  const origin = await app.origin;
  await page.goto(`${origin}/#donate-token`);
  await expect(page).toHaveURL(`${origin}/`);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await idField(page).fill(BOT_TOKEN);
  await expect(alert(page)).toContainText('To be safe, reset it');
  await expect(idField(page)).toHaveValue('');
  await expectNoRequestForTokens(page);

  await submitId(page, ids.ordinary);
  await expect(card(page)).toBeVisible();
  await expectNoRequestForTokens(page);

  const json = { error: 'Lookups are down: we’ve run out of bot tokens.', code: 'pool-empty' };
  await page.route(`${origin}/lookup`, (route) => route.fulfill({ status: 503, json }));
  await submitId(page, ids.bot);
  await expect(alert(page)).toContainText('Lookups are down: we’ve run out of bot tokens.');
  await expectNoRequestForTokens(page);
  await alert(page).getByRole('link', { name: 'View status' }).click();
  await expect(page.getByRole('heading', { name: 'Status', level: 1 })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/donat/i);

  await page.goto(`${origin}/token-donation`);
  await withdraw(page, BOT_TOKEN);
  await expect(alert(page)).toHaveText(GONE);
  await expectNoAxeViolations(page);
  // Before its server.
  await page.close();
});
