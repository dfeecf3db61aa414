import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { goToInteractive } from '../support/interactive.ts';
import { STATUS } from '../support/status.ts';

const answerStatus = (page: Page, json: unknown = STATUS, date = ''): Promise<unknown> =>
  page.route('/status.json', (route) => route.fulfill({ json, headers: { date } }));

const openStatus = (page: Page): Promise<void> => goToInteractive(page, '/status', 'app');

const figures = async (page: Page): Promise<string[]> => page.locator('dl > div').allInnerTexts();

test('the status page shows every number, and asks for donations when they are needed', async ({ page }) => {
  await answerStatus(page);
  await openStatus(page);
  await expect(page.getByText('Yes, we’re running low.')).toBeVisible();
  await expect(page.getByRole('main').getByText('Lookups are working')).toBeVisible();
  const texts = (await figures(page)).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(texts.slice(0, 5)).toEqual([
    'Served 890',
    expect.stringMatching(/^Unanswered 12 No token was free/),
    expect.stringMatching(/^Healthy 1,234 Can answer/),
    expect.stringMatching(/^Cooling down 5 Waiting until/),
    expect.stringMatching(/^Retired 67 Revoked/),
  ]);
  expect(texts[5]).toContain('A token was last retired 30 September 2026 at 04:05:06 UTC');
  await expect(page.getByRole('row').nth(1)).toHaveAccessibleName('03:00 321 4 9');
  await expect(page.getByText('Updated just now')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Donate a bot token' })).toHaveAttribute(
    'href',
    '/#donate-token',
  );
  await page.setViewportSize({ width: 360, height: 800 });
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('the status page says why there are no newer numbers, and asks again', async ({ page, problems }) => {
  problems.expect(/\/status\.json$/);
  await page.route('/status.json', (route) => route.abort());
  await openStatus(page);
  await expect(page.getByRole('alert')).toHaveText(
    'The server could not be reached. Check your connection and press “Refresh”.',
  );
  expect((await figures(page))[2]).toMatch(/Healthy\s*[1-9]/);
  const enough = { ...STATUS, last_retirement: null, donations_needed: false };
  await answerStatus(page, enough, 'Tue, 17 Nov 2026 03:05:00 GMT');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('1,234')).toBeVisible();
  await expect(page.getByText('Updated 5 minutes ago')).toBeVisible();
  await expect(page.getByText('Not right now.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Donate a bot token' })).toHaveCount(0);
  await expect(page.getByText('A token was last retired')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a footer says how lookups are going once it is seen, if it can', async ({ page, problems }) => {
  problems.expect(/\/status\.json$/);
  const link = page.getByRole('contentinfo').getByRole('link', { name: /^Status/ });
  const failed = page.waitForEvent('requestfailed');
  await page.route('/status.json', (route) => route.abort(), { times: 1 });
  await page.goto('/contact');
  await failed;
  await expect(link).toHaveText('Status');
  await answerStatus(page, { ...STATUS, tokens: { healthy: 0, cooling: 0, retired: 1 } });
  await page.setViewportSize({ width: 360, height: 300 });
  await page.goto('/privacy', { waitUntil: 'networkidle' });
  await expect(link).toHaveText('Status');
  await link.scrollIntoViewIfNeeded();
  await expect(link).toHaveText('Status · Lookups are down');
});
