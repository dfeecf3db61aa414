import type { Page } from '@playwright/test';
import type { Status } from '#shared/contract/status.ts';
import { expect, test } from '../support/browser-test.ts';

const STATUS: Status = {
  tokens: { healthy: 1234, cooling: 5, retired: 67 },
  lookups_last_hour: { served: 890, refused: 12 },
  last_retirement: '2026-09-30T04:05:06.000Z',
  donations_needed: true,
};

const answerStatus = (page: Page, json: unknown = STATUS): Promise<unknown> =>
  page.route('/status.json', (route) => route.fulfill({ json }));

const figures = async (page: Page): Promise<string[]> => page.locator('dl > div').allInnerTexts();

test('shows every number, and asks for donations when they are needed', async ({ page }) => {
  await answerStatus(page);
  await page.goto('/status');
  await expect(page.getByText('Yes, we’re running low.')).toBeVisible();
  await expect(page.getByRole('main').getByText('All lookups working')).toBeVisible();
  const texts = (await figures(page)).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(texts.slice(0, 5)).toEqual([
    'Tokens healthy 1234',
    'Tokens cooling 5',
    'Tokens retired 67',
    'Lookups served, last hour 890',
    'Lookups refused, last hour 12',
  ]);
  expect(texts[5]).toContain('Last retirement 30 September 2026 at 04:05:06 UTC');
  await expect(page.getByRole('link', { name: 'Donate a bot token' })).toHaveAttribute(
    'href',
    '/#donate-token',
  );
});

test('says so when there are enough tokens and none was lost', async ({ page }) => {
  await answerStatus(page, { ...STATUS, last_retirement: null, donations_needed: false });
  await page.goto('/status');
  await expect(page.getByText('Not right now.')).toBeVisible();
  await expect(page.getByText('None so far')).toBeVisible();
});

test('leads programs to the description of the API', async ({ page }) => {
  await page.goto('/status');
  const href = await page.getByRole('link', { name: '/openapi.json' }).getAttribute('href');
  const response = await page.request.get(href ?? '');
  expect(await response.json()).toHaveProperty(['paths', '/status.json']);
});

for (const width of [360, 1280]) {
  test(`nothing moves when the numbers come, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    const held = Promise.withResolvers<void>();
    await page.route('/status.json', async (route) => {
      await held.promise;
      await route.fulfill({ json: STATUS });
    });
    await page.goto('/status');
    const places = () =>
      page
        .locator('dl > div, main h2, main button, main a')
        .evaluateAll((elements) =>
          elements.map((element) => element.getBoundingClientRect().toJSON() as unknown),
        );
    const before = await places();
    held.resolve();
    await expect(page.getByText('1234')).toBeVisible();
    expect(await places()).toEqual(before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}

test('says why there are no newer numbers than those of the page, and reads them again on request', async ({
  page,
  problems,
}) => {
  problems.expect(/\/status\.json$/);
  await page.route('/status.json', (route) => route.abort());
  await page.goto('/status');
  await expect(page.getByRole('alert')).toHaveText(
    'The server could not be reached. Check your connection and refresh.',
  );
  expect((await figures(page))[0]).toMatch(/Tokens healthy\s*[1-9]/);
  await answerStatus(page);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('1234')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await answerStatus(page, { ...STATUS, tokens: { healthy: 4321, cooling: 0, retired: 0 } });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('4321')).toBeVisible();
});

test.describe('the footer', () => {
  const link = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: /^Status/ });

  test('says in words how lookups are going, and leads to the numbers', async ({ page }) => {
    await answerStatus(page);
    await page.goto('/contact');
    await expect(link(page)).toHaveText('Status · All lookups working');
    await answerStatus(page, { ...STATUS, tokens: { healthy: 0, cooling: 0, retired: 1 } });
    await page.goto('/privacy');
    await link(page).scrollIntoViewIfNeeded();
    await expect(link(page)).toHaveText('Status · Lookups are down');
    await link(page).click();
    await expect(page).toHaveURL('/status');
  });

  test('does not ask before it is seen', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 300 });
    let asked = 0;
    await page.route('/status.json', (route) => {
      asked += 1;
      return route.fulfill({ json: STATUS });
    });
    await page.goto('/privacy', { waitUntil: 'networkidle' });
    expect(asked).toBe(0);
    await link(page).scrollIntoViewIfNeeded();
    await expect(link(page)).toContainText('All lookups working');
    expect(asked).toBe(1);
  });

  test('moves nothing when it has more to say', async ({ page }) => {
    const held = Promise.withResolvers<void>();
    await page.route('/status.json', async (route) => {
      await held.promise;
      await route.fulfill({ json: STATUS });
    });
    await page.goto('/contact');
    const places = () =>
      page
        .locator('footer p, footer li')
        .evaluateAll((elements) =>
          elements.map((element) => element.getBoundingClientRect().toJSON() as unknown),
        );
    const before = await places();
    held.resolve();
    await expect(link(page)).toContainText('All lookups working');
    expect(await places()).toEqual(before);
  });

  test('is a plain link when the status cannot be read', async ({ page, problems }) => {
    problems.expect(/\/status\.json$/);
    await page.route('/status.json', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await page.goto('/contact');
    await failed;
    await expect(link(page)).toHaveText('Status');
  });
});

test('without scripts the footer has a plain link to the status', async ({ browser, baseURL }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${baseURL}/contact`);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Status', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Status');
  await page.close();
});
