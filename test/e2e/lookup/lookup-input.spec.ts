import { expect, test } from '../support/browser-test.ts';
import { BOT_TOKEN, donation } from '../support/donation-forms.ts';
import { alert, card, idField, ids, lookUp, submitId } from '../support/lookup-page.ts';
import { callsFrom, holdUntilReleased } from '../support/server-answers.ts';

const MARLOW = ids.ordinary;

test('an ID tells its date in one line when it is long enough, without moving the form, and the rest on demand', async ({
  page,
}) => {
  await page.goto('/');
  const form = page.getByRole('main').locator('form');
  const before = await form.boundingBox();
  await idField(page).pressSequentially('1759288472991170');
  await expect(form.getByText('An ID has 17 to 19 digits.')).toBeVisible();
  await expect(form.getByText('Account created')).toHaveCount(0);
  await idField(page).pressSequentially('63');
  const line = form.getByText(/^Account created 30 April 2016 · \d+ years ago$/);
  await expect(line).toBeVisible();
  expect(await form.boundingBox()).toEqual(before);
  await line.click();
  const values = await form.locator('dl > div').evaluateAll((rows) => rows.map((row) => row.textContent));
  expect(values).toEqual([
    expect.stringContaining('30 April 2016 at 11:18:25 UTC'),
    'Worker1',
    'Process0',
    'Increment7',
  ]);
});

test('the dates are in English in every locale, as all else is', async ({ browser, baseURL }) => {
  const page = await browser.newPage({ locale: 'ar-EG', ...(baseURL !== undefined && { baseURL }) });
  await page.goto('/');
  await idField(page).fill(MARLOW);
  await expect(page.getByText(/^Account created 4 May 2018 · \d+ years ago$/)).toBeVisible();
  await page.close();
});

test('an empty ID is asked for, without a captcha and without any call', async ({ page }) => {
  const calls = callsFrom(page);
  await lookUp(page, '   ');
  await expect(alert(page)).toHaveText('Enter a Discord snowflake to lookup.');
  await expect(idField(page)).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(calls).toEqual([]);
});

test('what is wrong with the field is said once, right under it, and goes when it is mended', async ({
  page,
}) => {
  await lookUp(page, '');
  const [field, message] = await Promise.all([idField(page).boundingBox(), alert(page).boundingBox()]);
  expect((message?.y ?? 0) - ((field?.y ?? 0) + (field?.height ?? 0))).toBeLessThan(30);
  await expect(idField(page)).toHaveAttribute('aria-invalid', 'true');
  await idField(page).fill(MARLOW);
  await expect(alert(page)).toHaveCount(0);
  await expect(idField(page)).toHaveAttribute('aria-invalid', 'false');
  await submitId(page, '99999999999999999999');
  await expect(page.getByText('too large')).toHaveCount(1);
  await expect(alert(page)).toContainText('too large');
});

test('an empty ID leaves the profile that is shown', async ({ page }) => {
  await lookUp(page, MARLOW);
  await expect(card(page)).toBeVisible();
  await submitId(page, '');
  await expect(alert(page)).toHaveText('Enter a Discord snowflake to lookup.');
  await expect(card(page)).toBeVisible();
});

test('what the ID of another would tell does not stand above a profile', async ({ page }) => {
  await lookUp(page, MARLOW);
  await expect(card(page)).toBeVisible();
  await idField(page).fill(ids.bot);
  await expect(page.getByText('Account created')).toHaveCount(0);
});

test('the key "/" goes to the field, but not while something is typed', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute('aria-pressed', /./);
  await page.keyboard.press('/');
  await expect(idField(page)).toBeFocused();
  await expect(idField(page)).toHaveValue('');
  await page.keyboard.press('/');
  await expect(idField(page)).toHaveValue('/');
});

test('who has no ID is told where to find one', async ({ page }) => {
  await page.goto('/');
  await page.getByText('Where do I find an ID?').click();
  await expect(page.getByText('Developer Mode')).toBeVisible();
  await expect(page.getByText('Copy User ID').first()).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the page says what needs them', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('noscript p')).toContainText('Lookups need JavaScript');
    await expect(page.locator('noscript p')).toBeVisible();
  });
});

test('the ID is taken out of what it was copied with', async ({ page }) => {
  await page.goto('/');
  for (const [what, pasted] of [
    ['a mention', `<@!${MARLOW}>`],
    ['a link to the profile', `https://discord.com/users/${MARLOW}`],
    ['an ID with invisible characters', ` ${MARLOW}\u200b`],
    ['a text around it', `ID: "${MARLOW}",`],
  ] as const) {
    await idField(page).fill('');
    await idField(page).fill(pasted);
    await expect.soft(idField(page), what).toHaveValue(MARLOW);
  }
});

test('what is no ID of a person is told to be something else while it is typed', async ({ page }) => {
  await page.goto('/');
  for (const [text, words] of [
    ['@marlow.finch', 'looks like a name'],
    ['<@&441997505123577857>', 'role'],
    ['<#441997505123577857>', 'channel'],
  ] as const) {
    const told = page.getByRole('status').filter({ hasText: words });
    await expect.soft(told, text).toHaveCount(0);
    await idField(page).fill(text);
    await expect.soft(idField(page), text).toHaveAccessibleDescription(new RegExp(words));
    await expect.soft(told, text).toBeVisible();
  }
});

test('a sample profile is one press away', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Marlow Finch' }).click();
  await expect(card(page).getByRole('heading', { name: 'Marlow Finch' })).toBeVisible();
  await expect(idField(page)).toHaveValue(MARLOW);
});

test('there are more samples behind the first', async ({ page }) => {
  await page.goto('/');
  await page.getByText('More samples to try').click();
  await page.getByRole('button', { name: 'Server tag', exact: true }).click();
  await expect(card(page).getByRole('heading', { name: 'Juniper' })).toBeVisible();
});

test('what was typed before the page had its scripts is kept', async ({ page }) => {
  const release = await holdUntilReleased(page, /\/assets\/index-.*\.js/);
  await page.goto('/', { waitUntil: 'commit' });
  await idField(page).fill(MARLOW);
  release();
  await expect(page.getByText('Account created 4 May 2018')).toBeVisible();
  await expect(idField(page)).toHaveValue(MARLOW);
});

test('a pasted bot token is removed at once, sent nowhere, and can be donated instead', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await page.goto('/');
  await idField(page).fill(`Bot ${BOT_TOKEN}`);
  await expect(idField(page)).toHaveValue('');
  await expect(alert(page)).toContainText('didn’t send it anywhere');
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
