import type { Page } from '@playwright/test';
import { expect, test } from './support.ts';

const MARLOW = '441997505123577857';
const REFUSED = /status of (?:429|50\d) .*\/lookup$/;

type Refusal = { readonly status: number; readonly code: string; readonly retry_after?: number };

const refuse = (page: Page, { status, ...body }: Refusal): Promise<unknown> =>
  page.route('/lookup', (route) => route.fulfill({ status, json: { error: 'The sentence.', ...body } }), {
    times: 1,
  });

const submit = async (page: Page): Promise<void> => {
  await page.getByLabel('Discord ID').fill(MARLOW);
  await page.keyboard.press('Enter');
};

const expectKept = async (page: Page): Promise<void> => {
  await expect(page.getByLabel('Discord ID')).toHaveValue(MARLOW);
  await expect(page.getByText('4 May 2018 at 16:20:17 UTC')).toBeVisible();
};

for (const [code, status, advice] of [
  ['visitor-limit', 429, 'Lookups are limited'],
  ['pool-busy', 503, 'A place will be free soon'],
] as const) {
  test(`counts down for ${code}, then lets the visitor try again`, async ({ page, problems }) => {
    problems.expect(REFUSED);
    await refuse(page, { status, code, retry_after: 30 });
    await page.clock.install();
    await page.goto('/');
    await submit(page);
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('The sentence.');
    await expect(alert).toContainText(advice);
    const again = alert.getByRole('button', { name: 'Try again' });
    await expect(again).toHaveAttribute('aria-disabled', 'true');
    await expect(alert).toContainText(/You can try again in [12]\d seconds\./);
    await expectKept(page);
    await page.clock.fastForward(30_000);
    await expect(again).toHaveAttribute('aria-disabled', 'false');
    await expect(page.getByRole('status').getByText('You can try again now.')).toBeAttached();
    await again.click();
    await expect(page.getByRole('heading', { name: 'Marlow Finch' })).toBeVisible();
  });
}

test('offers to donate when there is no token left', async ({ page, problems }) => {
  problems.expect(REFUSED);
  await refuse(page, { status: 503, code: 'pool-empty' });
  await page.goto('/');
  await submit(page);
  await expectKept(page);
  await page.getByRole('alert').getByRole('button', { name: 'Donate a bot token' }).click();
  await expect(page.getByRole('dialog', { name: 'Donate a Discord bot token' })).toBeVisible();
});

test('says that the visitor is offline', async ({ page, context, problems }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/');
  await page.route('/lookup', async (route) => {
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  await submit(page);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Failed to fetch');
  await expect(alert).toContainText('You seem to be offline.');
  await expectKept(page);
  await context.setOffline(false);
  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Marlow Finch' })).toBeVisible();
});

test('mends a page of which a part could not be loaded', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/);
  await page.route(/\/assets\/lookup-flow-.*\.js/, (route) => route.abort());
  await page.goto('/');
  await submit(page);
  await expect(page.getByRole('alert')).toContainText('Unable to complete lookup.');
  await expectKept(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Lookup' }).click();
  await expect(page.getByRole('heading', { name: 'Marlow Finch' })).toBeVisible();
});
