import { expect, test } from './support.ts';
import { BOT_TOKEN, donation, idField, ids } from './visitor.ts';

const MARLOW = ids.ordinary;

test('tells what an id says by itself, without asking anybody', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/');
  const form = page.getByRole('main').locator('form');
  const before = await form.boundingBox();
  await idField(page).pressSequentially('175928847299117063');
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
  const field = idField(page);
  for (const pasted of [`<@!${MARLOW}>`, `https://discord.com/users/${MARLOW}`, ` ${MARLOW}\u200b`]) {
    await field.fill(pasted);
    await expect(field).toHaveValue(MARLOW);
  }
  await field.fill('somebody');
  await expect(field).toHaveAccessibleDescription(
    'A Discord ID consists of digits only. Paste the ID, a mention or a link to the profile.',
  );
});

test('offers sample ids that fill the field', async ({ page }) => {
  await page.goto('/');
  await page.getByText('Sample IDs to try').click();
  await page.getByRole('button', { name: 'Ordinary, with banner and accent' }).click();
  await expect(idField(page)).toHaveValue(MARLOW);
  await expect(idField(page)).toBeFocused();
});

test('keeps what was typed before the page had its scripts', async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/index-.*\.js/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await idField(page).fill(MARLOW);
  held.resolve();
  await expect(page.getByText('4 May 2018 at 16:20:17 UTC')).toBeVisible();
  await expect(idField(page)).toHaveValue(MARLOW);
});

test('removes a bot token at once and offers to donate it', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await page.goto('/');
  await idField(page).fill(`Bot ${BOT_TOKEN}`);
  await expect(idField(page)).toHaveValue('');
  await expect(page.getByRole('alert')).toContainText('has not been sent anywhere');
  const offer = page.getByRole('alert').getByRole('button', { name: 'Donate a bot token' });
  await offer.click();
  await expect(donation(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(offer).toBeFocused();
  expect(sent.filter((text) => text.includes(BOT_TOKEN))).toEqual([]);
});

test('removes a bot token from the address', async ({ page }) => {
  await page.goto(`/?id=${BOT_TOKEN}`);
  await expect(page.getByRole('alert')).toContainText('That was a bot token');
  await expect(page).toHaveURL('/');
  await expect(idField(page)).toHaveValue('');
});

test('gives a result an address, which comes back with the page', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await idField(page).fill(MARLOW);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/?id=${MARLOW}`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Copied.')).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.goto('/donate');
  await page.goBack();
  await expect(idField(page)).toHaveValue(MARLOW);
});

test('opens the donation from an address, as often as it is asked to', async ({ page }) => {
  await page.goto('/#donate-token');
  const dialog = donation(page);
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL('/');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await page.evaluate(() => {
    location.hash = '#donate-token';
  });
  await expect(dialog).toBeVisible();
});
