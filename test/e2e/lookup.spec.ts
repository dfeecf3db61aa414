import { expect, test } from './support.ts';

/** Ids that the sandbox answers always in the same way. */
const MARLOW = '441997505123577857';
const NOBODY = '794354273277177873';

test('shows the profile behind an id once the captcha has solved itself', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Discord ID').fill(` ${MARLOW} `);
  await page.getByRole('button', { name: 'Lookup' }).click();
  await expect(page.getByRole('heading', { name: 'Marlow Finch' })).toBeVisible();
  await expect(page.getByText('@marlow.finch')).toBeVisible();
  await expect(page.getByRole('article').getByText('4 May 2018 at 16:20:17 UTC')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const avatar = page.getByRole('img', { name: 'Avatar of Marlow Finch' });
  await expect
    .poll(() => avatar.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
});

test('offers sample ids that fill the field', async ({ page }) => {
  await page.goto('/');
  await page.getByText('Sample IDs to try').click();
  await page.getByRole('button', { name: 'Ordinary, with banner and accent' }).click();
  await expect(page.getByLabel('Discord ID')).toHaveValue(MARLOW);
  await expect(page.getByLabel('Discord ID')).toBeFocused();
});

test('says when there is no profile, and when the id was made', async ({ page, problems }) => {
  problems.expect(/status of 404 .*\/lookup$/);
  await page.goto('/');
  await page.getByLabel('Discord ID').fill(NOBODY);
  await page.keyboard.press('Enter');
  const warning = page.getByRole('alert');
  await expect(warning).toContainText(
    `No profile was found for ${NOBODY}. Discord reports that the snowflake was created at: 1 January 2021 at`,
  );
  await expect(warning).toContainText(' UTC ');
});

test('asks for an id when there is none, without a captcha', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Discord ID').fill('  ');
  await page.getByRole('button', { name: 'Lookup' }).click();
  await expect(page.getByRole('alert')).toHaveText('Enter a Discord snowflake to lookup.');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('Discord ID')).toBeFocused();
});

test('clears the last answer when a new lookup starts', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Lookup' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.route('/challenge', () => undefined);
  await page.getByLabel('Discord ID').fill(MARLOW);
  await page.getByRole('button', { name: 'Lookup' }).click();
  await expect(page.getByRole('dialog', { name: 'Captcha' })).toBeVisible();
  await expect(page.locator('[role=alert]')).toHaveCount(0);
});

test('has a page for paths that do not exist', async ({ page, problems }) => {
  problems.expect(/status of 404 .*\/no\/such\/page$/);
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Lookup' }).click();
  await expect(page.getByLabel('Discord ID')).toBeVisible();
  await expect(page).toHaveTitle('Whoflake: Discord profile lookup');
});
