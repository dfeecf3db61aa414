import { expect, test } from '../support/browser-test.ts';
import { BOT_TOKEN, donation } from '../support/donation-forms.ts';
import { alert, idField, ids, lookUp } from '../support/lookup-page.ts';
import { callsFrom, holdUntilReleased } from '../support/server-answers.ts';

const MARLOW = ids.ordinary;

test('an ID tells its date and numbers while it is typed, without any call and without moving the form', async ({
  page,
}) => {
  const calls = callsFrom(page);
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
  expect(calls).toEqual([]);
});

test('an empty ID is asked for, without a captcha and without any call', async ({ page }) => {
  const calls = callsFrom(page);
  await lookUp(page, '   ');
  await expect(alert(page)).toHaveText('Enter a Discord snowflake to lookup.');
  await expect(idField(page)).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(calls).toEqual([]);
});

for (const [what, pasted] of [
  ['a mention', `<@!${MARLOW}>`],
  ['a link to the profile', `https://discord.com/users/${MARLOW}`],
  ['an ID with invisible characters', ` ${MARLOW}\u200b`],
] as const) {
  test(`the ID is taken out of ${what}`, async ({ page }) => {
    await page.goto('/');
    await idField(page).fill(pasted);
    await expect(idField(page)).toHaveValue(MARLOW);
  });
}

test('a text without digits is reported as wrong while it is typed', async ({ page }) => {
  await page.goto('/');
  await idField(page).fill('somebody');
  await expect(idField(page)).toHaveAccessibleDescription(
    'A Discord ID consists of digits only. Paste the ID, a mention or a link to the profile.',
  );
});

test('a sample ID fills the field', async ({ page }) => {
  await page.goto('/');
  await page.getByText('Sample IDs to try').click();
  await page.getByRole('button', { name: 'Ordinary, with banner and accent' }).click();
  await expect(idField(page)).toHaveValue(MARLOW);
  await expect(idField(page)).toBeFocused();
});

test('what was typed before the page had its scripts is kept', async ({ page }) => {
  const release = await holdUntilReleased(page, /\/assets\/index-.*\.js/);
  await page.goto('/', { waitUntil: 'commit' });
  await idField(page).fill(MARLOW);
  release();
  await expect(page.getByText('4 May 2018 at 16:20:17 UTC')).toBeVisible();
  await expect(idField(page)).toHaveValue(MARLOW);
});

test('a pasted bot token is removed at once, sent nowhere, and can be donated instead', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await page.goto('/');
  await idField(page).fill(`Bot ${BOT_TOKEN}`);
  await expect(idField(page)).toHaveValue('');
  await expect(alert(page)).toContainText('has not been sent anywhere');
  const offer = alert(page).getByRole('button', { name: 'Donate a bot token' });
  await offer.click();
  await expect(donation(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(offer).toBeFocused();
  expect(sent.filter((text) => text.includes(BOT_TOKEN))).toEqual([]);
});

test('a bot token in the address is removed from it', async ({ page }) => {
  await page.goto(`/?id=${BOT_TOKEN}`);
  await expect(alert(page)).toContainText('That was a bot token');
  await expect(page).toHaveURL('/');
  await expect(idField(page)).toHaveValue('');
});
