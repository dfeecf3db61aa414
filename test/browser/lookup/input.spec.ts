import { expect, test } from '../support/browser-test.ts';
import { BOT_TOKEN, donation } from '../support/donation-forms.ts';
import { goToInteractive } from '../support/interactive.ts';
import { alert, card, idField, ids, lookUp, submitId } from '../support/lookup-page.ts';
import { callsFrom } from '../support/server-answers.ts';

test('an ID tells its date in one line, without moving the form, and more on demand', async ({ page }) => {
  await page.goto('/');
  const form = page.getByRole('main').locator('form');
  const before = await form.boundingBox();
  await idField(page).pressSequentially('1759288472991170');
  await expect(form.getByText('Account created')).toHaveCount(0);
  await idField(page).pressSequentially('63');
  const line = form.getByText(/^Account created 30 April 2016 \d+\syears ago$/);
  await expect(line).toBeVisible();
  expect(await form.boundingBox()).toEqual(before);
  await line.click();
  await expect(form.getByRole('definition')).toHaveText([/30 April 2016 at 11:18:25\sUTC/, '1', '0', '7']);
});

test('§159–160, 185 what is wrong with an ID is said at the field, without any call', async ({ page }) => {
  const calls = callsFrom(page);
  await lookUp(page, '   ');
  await expect(alert(page)).toHaveText('Enter a Discord snowflake to lookup.');
  await expect(idField(page)).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(idField(page)).toHaveAttribute('aria-invalid', 'true');
  await idField(page).fill('1');
  await expect(alert(page)).toHaveCount(0);
  await expect(idField(page)).toHaveAttribute('aria-invalid', 'false');
  await submitId(page, '99999999999999999999');
  await expect(page.getByText('too large')).toHaveCount(1);
  await expect(alert(page)).toContainText('too large');
  expect(calls).toEqual([]);
});

test('nobody who is typing is told that an ID is short, before a pause of 1 s or leaving the field', async ({
  page,
}) => {
  await page.clock.install();
  await goToInteractive(page, '/', 'app');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const note = page.getByRole('main').locator('form').getByRole('status');
  const short = 'No account has an ID this short: IDs have 17 to 19 digits.';
  for (const digit of '1234') {
    await idField(page).press(digit);
    await page.clock.runFor(999);
    await expect(note).toBeEmpty();
  }
  await page.clock.runFor(1);
  await expect(note).toHaveText(short);
  await idField(page).press('5');
  await expect(note).toBeEmpty();
  await page.keyboard.press('Tab');
  await expect(note).toHaveText(short);
});

test('a sample is looked up, and its profile stays when an empty ID is submitted', async ({ page }) => {
  await page.goto('/');
  const [samples, hero] = await Promise.all(
    [
      page.getByRole('heading', { name: 'Sample profiles' }),
      page.getByRole('link', { name: /^How token/ }),
    ].map((part) => part.boundingBox()),
  );
  expect(samples?.y, 'they stand right below the field').toBeLessThan(hero?.y ?? 0);
  await page.getByText('More samples to try').click();
  await page.getByRole('button', { name: 'Server tag', exact: true }).click();
  await expect(card(page).getByRole('heading', { name: 'Juniper' })).toBeVisible();
  await expect(idField(page)).toHaveValue(ids.tag);
  await submitId(page, '');
  await expect(alert(page)).toHaveText('Enter a Discord snowflake to lookup.');
  await expect(card(page)).toBeVisible();
});

test('the key "/" goes to the field, which takes the ID out of what is pasted', async ({ page }) => {
  await goToInteractive(page, '/', 'app');
  await page.keyboard.press('/');
  await expect(idField(page)).toBeFocused();
  await expect(idField(page)).toHaveValue('');
  await page.keyboard.press('/');
  await expect(idField(page)).toHaveValue('/');
  for (const pasted of [`<@!${ids.ordinary}>`, ` ${ids.ordinary}\u200b`]) {
    await idField(page).fill('');
    await idField(page).fill(pasted);
    await expect.soft(idField(page)).toHaveValue(ids.ordinary);
  }
  for (const [text, words] of [
    ['@marlow.finch', 'looks like a name'],
    ['<@&441997505123577857>', 'role'],
  ] as const) {
    await idField(page).fill(text);
    await expect.soft(idField(page), text).toHaveAccessibleDescription(new RegExp(words));
    await expect.soft(page.getByRole('status').filter({ hasText: words }), text).toBeVisible();
  }
});

test('a bot token is removed from field and address, and can be donated instead', async ({ page }) => {
  await page.goto(`/?id=${BOT_TOKEN}`);
  await expect(alert(page)).toContainText('That was a bot token, not an ID. It was in the address');
  await expect(page).toHaveURL('/');
  await expect(idField(page)).toHaveValue('');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await page.reload();
  await idField(page).fill(`Bot ${BOT_TOKEN}`);
  await expect(idField(page)).toHaveValue('');
  await expect(alert(page)).toContainText('sent it nowhere');
  await alert(page).getByRole('button', { name: 'Donate a bot token' }).click();
  await expect(donation(page)).toBeVisible();
  expect(sent.filter((text) => text.includes(BOT_TOKEN))).toEqual([]);
});
