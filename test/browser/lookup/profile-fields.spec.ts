import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { card, fact, ids, submitId, titleOf } from '../support/lookup-page.ts';
import { answer } from '../support/server-answers.ts';

test.use({ timezoneId: 'Asia/Kathmandu' });

/** Nothing but what every server of this API sends, each field with a value of its own. */
const FIELDS = {
  username: 'the.username',
  display_name: 'The Display Name',
  global_name: 'The Global Name',
  discriminator: '4711',
  avatar_url: '/favicon.svg?avatar',
  banner_url: '/favicon.svg?banner',
  created_at: '2015-08-10T14:44:46.784Z',
  badge_url: '/favicon.svg?badge',
  accent_color: '#112233',
  banner_color: '#445566',
  flags: [
    { id: 'FIRST_FLAG', name: 'The First Flag', image: '/badges/staff.svg' },
    { id: 'SECOND_FLAG', name: 'The Second Flag', image: null },
  ],
  public_flags: 576,
  clan: { tag: 'CLAN', identity_guild_id: '332779590571257874' },
  primary_guild: { tag: 'GILD', identity_guild_id: '673347428472057875' },
};

/** On the page that is open. Each ID tells its card from the one before. */
const findWith = async (page: Page, json: object, id: string = ids.tag): Promise<void> => {
  await page.unrouteAll();
  await answer(page, '/lookup', { status: 200, json });
  await submitId(page, id);
  await expect(fact(page, 'ID')).toHaveText(id);
};

test.beforeEach(({ page }) => page.goto('/'));

const openDetails = async (page: Page): Promise<string[][]> => {
  await card(page).getByText('Details', { exact: true }).click();
  await card(page).getByRole('table').waitFor();
  return card(page)
    .getByRole('row')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)));
};

test('§89–91, 93–98, 100, 102–105, 107–111 the card and its details have every field of a profile, in order, in words', async ({
  page,
}) => {
  await findWith(page, FIELDS);
  await expect.soft(titleOf(page)).toHaveText('The Display Name');
  await expect.soft(card(page).getByText('the.username').locator('..')).toHaveText('the.username#4711');
  await expect.soft(fact(page, 'Created')).toContainText('10 August 2015 at 14:44:46 UTC 20:29 your time');
  const flags = card(page).getByRole('list', { name: 'Flags' }).getByRole('listitem');
  await expect.soft(flags).toHaveText(['The First Flag', 'The Second Flag']);
  for (const [name, path] of [
    ['Avatar', '/favicon.svg?avatar'],
    ['Banner', '/favicon.svg?banner'],
  ] as const)
    await expect
      .soft(card(page).getByRole('link', { name: `${name} of The Display Name` }))
      .toHaveAttribute('href', path);

  expect(await openDetails(page)).toEqual([
    ['Username', 'the.username'],
    ['Display name', 'The Display Name'],
    ['Global name', 'The Global Name'],
    ['Discriminator', '#4711'],
    ['Avatar URL', '/favicon.svg?avatar'],
    ['Banner URL', '/favicon.svg?banner'],
    ['Created', '10 August 2015 at 14:44:46 UTC 20:29 your time'],
    ['Badge URL', '/favicon.svg?badge'],
    ['Accent colour', ' #112233'],
    ['Banner colour', ' #445566'],
    ['Flags', 'FIRST_FLAG, SECOND_FLAG'],
    ['Public flags', '576'],
    ['Clan', 'CLAN (server 332779590571257874)'],
    ['Primary Guild', 'GILD (server 673347428472057875)'],
  ]);
  await expect(card(page).getByRole('region', { name: 'Raw JSON' })).toContainText(
    '"username": "the.username"',
  );
});

test('§49–50 a clan and a primary guild have a tile each, and only with the ID of their server', async ({
  page,
}) => {
  const { clan, primary_guild, ...rest } = FIELDS;
  for (const [id, guilds, tiles] of [
    [ids.ordinary, { clan, primary_guild }, ['Clan', 'Primary Guild']],
    [ids.tag, { clan, primary_guild: { tag: 'GILD', identity_guild_id: null } }, ['Clan']],
    [ids.bot, { clan: { tag: 'CLAN' }, primary_guild }, ['Primary Guild']],
    [ids.noAvatar, { clan: { tag: 'CLAN', identity_guild_id: '' }, primary_guild: null }, []],
  ] as const) {
    await findWith(page, { ...rest, ...guilds }, id);
    await expect(card(page).getByRole('term')).toHaveText(['Created', 'ID', ...tiles]);
  }
});

test('§112–114 a profile with nothing but names is a card, titled with the first of them', async ({
  page,
}) => {
  const missing = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, null]));
  for (const [id, names, title] of [
    [ids.ordinary, { username: 'nelly' }, 'nelly'],
    [ids.tag, { username: 'nelly', global_name: 'Nelly' }, 'Nelly'],
    [ids.bot, { username: 'nelly', global_name: 'Nelly', display_name: 'Nell' }, 'Nell'],
    [ids.noAvatar, { global_name: 'Nelly' }, 'Nelly'],
  ] as const) {
    await findWith(page, { ...missing, ...names }, id);
    await expect(titleOf(page)).toHaveText(title);
    await expect(card(page)).not.toContainText('#');
  }
  const known = (await openDetails(page)).filter(([, value]) => value !== 'None');
  expect(known.map(([name]) => name)).toEqual(['Global name', 'Created', 'Public flags']);
});
