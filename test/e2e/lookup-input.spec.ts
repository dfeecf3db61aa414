import { expect as expectAtOnce, expectNoAxeViolations, test } from './support.ts';

// A busy machine takes its time to solve a captcha.
const expect = expectAtOnce.configure({ timeout: 20_000 });

const MARLOW = '441997505123577857';
// Put together here, so that no scanner takes this file for a leak.
const TOKEN = [btoa('80351110224678912').replaceAll('=', ''), 'GaBcDe', 'x'.repeat(38)].join('.');

test('tells what an id says by itself, without asking anybody', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/');
  const form = page.getByRole('main').locator('form');
  const before = await form.boundingBox();
  await page.getByLabel('Discord ID').pressSequentially('175928847299117063');
  await expect(form.getByText('30 April 2016 at 11:18:25 UTC')).toBeVisible();
  const values = await form
    .locator('dl > div')
    .evaluateAll((rows) => rows.slice(2).map((row) => row.textContent));
  expect(values).toEqual(['Worker1', 'Process0', 'Increment7']);
  expect(await form.boundingBox()).toEqual(before);
  expect(asked).not.toContain('/challenge');
  expect(asked).not.toContain('/lookup');
});

test('takes the digits out of what is pasted', async ({ page }) => {
  await page.goto('/');
  const field = page.getByLabel('Discord ID');
  for (const pasted of [`<@!${MARLOW}>`, `https://discord.com/users/${MARLOW}`, ` ${MARLOW}\u200b`]) {
    await field.fill(pasted);
    await expect(field).toHaveValue(MARLOW);
  }
  await field.fill('somebody');
  await expect(field).toHaveAccessibleDescription('A Discord ID consists of digits only.');
});

test('keeps what was typed before the page had its scripts', async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/index-.*\.js/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByLabel('Discord ID').fill(MARLOW);
  held.resolve();
  await expect(page.getByText('4 May 2018 at 16:20:17 UTC')).toBeVisible();
  await expect(page.getByLabel('Discord ID')).toHaveValue(MARLOW);
});

test('removes a bot token at once and offers to donate it', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await page.goto('/');
  await page.getByLabel('Discord ID').fill(`Bot ${TOKEN}`);
  await expect(page.getByLabel('Discord ID')).toHaveValue('');
  await expect(page.getByRole('alert')).toContainText('has not been sent anywhere');
  await expectNoAxeViolations(page);
  const offer = page.getByRole('alert').getByRole('button', { name: 'Donate a bot token' });
  await offer.click();
  await expect(page.getByRole('dialog', { name: 'Donate a Discord bot token' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(offer).toBeFocused();
  expect(sent.filter((text) => text.includes(TOKEN))).toEqual([]);
});

test('removes a bot token from the address', async ({ page }) => {
  await page.goto(`/?id=${TOKEN}`);
  await expect(page.getByRole('alert')).toContainText('That was a bot token');
  await expect(page).toHaveURL('/');
  await expect(page.getByLabel('Discord ID')).toHaveValue('');
});

test('gives a result an address, which comes back with the page', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await page.getByLabel('Discord ID').fill(MARLOW);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/?id=${MARLOW}`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Copied.')).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.goto('/donate');
  await page.goBack();
  await expect(page.getByLabel('Discord ID')).toHaveValue(MARLOW);
});

test('opens the donation from an address, as often as it is asked to', async ({ page }) => {
  await page.goto('/#donate-token');
  const dialog = page.getByRole('dialog', { name: 'Donate a Discord bot token' });
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL('/');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await page.evaluate(() => {
    location.hash = '#donate-token';
  });
  await expect(dialog).toBeVisible();
});
