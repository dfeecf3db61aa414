import type { Locator, Page } from '@playwright/test';
import english from '#texts/en.json' with { type: 'json' };
import { FLAG_NAMES, KNOWN_FLAGS } from '#shared/flags.ts';
import { LANGUAGE_CODES, localPath } from '#shared/languages.ts';
import { expectNoAxeViolations } from '../support/axe.ts';
import { expect, test } from '../support/browser-test.ts';
import { card, fact, findProfile, ids, submitId, titleOf } from '../support/lookup-page.ts';
import { answer } from '../support/server-answers.ts';

test.use({ timezoneId: 'Asia/Kathmandu' });

const ringOf = (page: Page): Locator =>
  card(page)
    .getByRole('link', { name: /^Avatar/ })
    .locator('..');
const flags = (page: Page): Locator => card(page).getByRole('list', { name: 'Flags' }).getByRole('listitem');
/** Tags beside the username, as they are heard: "Clan: LAMP". */
const guildTags = (page: Page): Locator =>
  card(page)
    .locator('span[title]')
    .filter({ hasText: /Clan|Primary Guild/ });

const expectDrawn = (image: Locator): Promise<void> =>
  expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);

test('§44–47, 92, 106, 115 the card of an ordinary profile shows who it is', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await findProfile(page, ids.ordinary);
  await expect.soft(titleOf(page)).toHaveText('Marlow Finch');
  await expect.soft(card(page).getByText('@marlow.finch', { exact: true })).toBeVisible();
  await expect.soft(card(page)).not.toContainText('#0');
  for (const [picture, address] of [
    ['Avatar', /\/avatars\/441997505123577857\//],
    ['Banner', /\/banners\/441997505123577857\//],
  ] as const) {
    const name = `${picture} of Marlow Finch`;
    await expectDrawn(card(page).getByRole('img', { name }));
    const link = card(page).getByRole('link', { name });
    await expect.soft(link).toHaveAttribute('href', address);
    await expect.soft(link).toHaveAttribute('target', '_blank');
    await expect.soft(link).toHaveAttribute('rel', 'noreferrer');
  }
  await expect.soft(ringOf(page)).toHaveCSS('border-color', 'rgb(79, 124, 172)');
  await expect.soft(fact(page, 'ID')).toHaveText(ids.ordinary);
  await expect.soft(flags(page).first()).toContainText('House Bravery Member');
  await expectDrawn(flags(page).first().locator('img'));
  const seen = [titleOf(page), flags(page).last(), card(page).getByText(/^8\syears/), fact(page, 'Created')];
  for (const part of seen)
    await expect.soft(part, 'on the first screen of a phone').toBeInViewport({ ratio: 1 });
});

test('§101, 116, 231 the card of each kind of profile says what is special about it', async ({ page }) => {
  await page.goto('/');
  const show = async (id: string): Promise<void> => {
    await submitId(page, id);
    await expect(fact(page, 'ID')).toHaveText(id);
  };
  for (const [id, words] of [
    [ids.discriminator, 'Old Timer#4711'],
    [ids.bot, 'Verified app'],
    [ids.system, 'Verified system account'],
    [ids.deleted, 'This account was deleted.'],
    [ids.deletedBefore, 'This account was deleted.'],
    [ids.team, 'User is a team'],
    [ids.provisional, 'Provisional account'],
    [ids.rightToLeft, 'photoU+202Egnp'],
    [ids.hidden, 'U+2060adU+200Dmin'],
    [ids.twoScripts, 'А U+0410ԁ U+0501min'],
  ] as const) {
    await show(id);
    await expect.soft(card(page)).toContainText(words);
  }
  for (const [id, title] of [
    [ids.fiveLetters, 'Gus 🍬 Mallow'],
    [ids.emptyName, 'nameless'],
    [ids.markup, '<img src=x onerror=alert(1)><b>&lt;"\'`'],
  ] as const) {
    await show(id);
    await expect.soft(titleOf(page)).toHaveAccessibleName(title);
  }

  await show(ids.fiveColors);
  await expect.soft(card(page).getByRole('img', { name: 'Snow drifting across a dark field' })).toBeVisible();
  await expect.soft(card(page).getByText('Until 1 January 2030')).toHaveCount(2);

  await show(ids.noAvatar);
  await expect.soft(ringOf(page)).toHaveCSS('border-color', 'rgb(114, 137, 218)');
  await expect.soft(card(page).getByRole('link', { name: /^Banner/ })).toHaveCount(0);
  await show(ids.everyFlag);
  const notes: Readonly<Record<string, string>> = english.flagNotes;
  const badges = KNOWN_FLAGS.map(({ id }) => [FLAG_NAMES[id], notes[id]]);
  await expect.soft(flags(page)).toHaveText(badges.map((words) => new RegExp(`^${words.join(' ?')}$`)));
  for (const show of ['hover', 'focus'] as const) {
    const badge = flags(page).nth(3).getByRole('button');
    await badge[show]();
    await expect.soft(badge.locator('span'), show).toHaveCSS('opacity', '1');
    await page.mouse.move(0, 0);
    await badge.blur();
    await expect.soft(badge.locator('span')).toHaveCSS('opacity', '0');
  }
  await show(ids.tag);
  await expect.soft(guildTags(page)).toHaveText(['Primary Guild: SNOW']);
  await expectDrawn(fact(page, 'Clan').locator('img'));
  await show(ids.twoGuilds);
  await expect.soft(guildTags(page)).toHaveText(['Clan: LAMP', 'Primary Guild: SNOW']);
  await expect.soft(fact(page, 'Clan')).toContainText(/LAMP.*server 673347428472057875/);
});

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
  speaking_colors: ['#f2a65a', '#7ac0d4'],
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

const openDetails = async (page: Page): Promise<string[][]> => {
  await card(page).getByText('Details', { exact: true }).click();
  await card(page).getByRole('table').waitFor();
  return card(page)
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map(({ textContent }) => textContent.replaceAll('\u00A0', ' '))),
    );
};

test('§48, 89–91, 93–98, 100, 102–105, 107–111 the card has every field of a profile', async ({ page }) => {
  await page.goto('/');
  await findWith(page, FIELDS);
  await expect.soft(titleOf(page)).toHaveText('The Display Name');
  await expect.soft(card(page).getByText('the.username').locator('..')).toHaveText('the.username#4711');
  await expect.soft(fact(page, 'Created')).toContainText('10 August 2015 at 14:44:46 UTC 20:29 your time');
  await expect.soft(flags(page)).toHaveText(['The First Flag', 'The Second Flag']);
  await expect.soft(flags(page).locator('img')).toHaveCount(1);
  for (const [name, path] of [
    ['Avatar', FIELDS.avatar_url],
    ['Banner', FIELDS.banner_url],
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
    ['Speaking colours', ' #f2a65a #7ac0d4'],
    ['Flags', 'FIRST_FLAG, SECOND_FLAG'],
    ['Public flags', '576'],
    ['Clan', 'CLAN (server 332779590571257874)'],
    ['Primary Guild', 'GILD (server 673347428472057875)'],
  ]);
});

test('§49–50 a clan and a primary guild have a tile if their server has an ID', async ({ page }) => {
  const { clan, primary_guild, ...rest } = FIELDS;
  await page.goto('/');
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

test('§112–114 a profile with nothing but names is titled with the first of them', async ({ page }) => {
  const missing = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, null]));
  await page.goto('/');
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

test('the card wears what the account wears, and nothing that has expired', async ({ page }) => {
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (/\/(?!figtree)[^/]*\.woff2$/.test(request.url())) fonts.push(request.url());
  });
  const plate = { static_url: '/favicon.svg', animated_url: '/favicon.svg', label: 'A plate' };
  const image = card(page).getByRole('img', { name: 'A plate' });
  const voice = card(page).getByRole('link', { name: /^Avatar/ });
  await page.goto('/');
  await findWith(page, { ...FIELDS, nameplate: { ...plate, palette: 'sky' } });
  for (const [colorScheme, color] of [
    ['light', '0.337255 0.8 1'],
    ['dark', '0 0.501961 0.717647'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.soft(image).toHaveCSS('background-image', new RegExp(`linear-gradient.*${color} / 0\\.\\d`));
    await expect.soft(voice).toHaveCSS('background-color', /^oklch/);
  }
  expect(fonts).toEqual([]);

  const display_name_styles = { font: 'kalam', effect: 'solid', colors: [] };
  await findWith(page, { ...FIELDS, speaking_colors: [], display_name_styles }, ids.bot);
  const families = () => page.evaluate(() => [...document.fonts].map(({ family }) => family));
  await expect.poll(families).toContain('kalam');
  expect(fonts).toEqual([expect.stringContaining('/kalam-')]);
  await expect.soft(voice).not.toHaveCSS('background-color', /^oklch/);

  const [over, later] = ['2020-03-01T00:00:00.000Z', '2100-03-01T00:00:00.000Z'];
  const decoration = {
    avatar_decoration_url: '/favicon.svg?passthrough=true',
    avatar_decoration_expires_at: over,
  };
  await findWith(page, { ...FIELDS, ...decoration, nameplate: { ...plate, expires_at: later } }, ids.team);
  await expect.soft(image).toBeVisible();
  await expect.soft(card(page).locator('img[src*="passthrough"]')).toHaveCount(0);
  const rows = (await openDetails(page)).slice(-2);
  expect(rows).toEqual([expect.arrayContaining(['Primary Guild']), ['Decoration', 'Expired 1 March 2020']]);
});

test('an account is new for its first week', async ({ page }) => {
  await page.goto('/');
  for (const [id, days, count] of [
    [ids.tag, 6.9, 1],
    [ids.bot, 7.1, 0],
  ] as const) {
    const created_at = new Date(Date.now() - days * 86_400_000).toISOString();
    await findWith(page, { ...FIELDS, created_at }, id);
    await expect(card(page).getByText('New: under a week old')).toHaveCount(count);
  }
});

/** What is painted of the card beside its column, which its facts fill; and blocks that do not begin where it does. */
const besideColumn = (article: Element): string[] => {
  const column = article.querySelector('dl')!.getBoundingClientRect();
  const outside = (box: DOMRect): boolean =>
    box.width > 1 && (box.left < column.left - 0.5 || box.right > column.right + 0.5);
  const textsOf = (element: Element): DOMRect[] =>
    [...element.childNodes].flatMap((node) => {
      if (node.nodeType !== Node.TEXT_NODE || getComputedStyle(element).clipPath !== 'none') return [];
      const range = document.createRange();
      range.selectNode(node);
      return Array.from(range.getClientRects());
    });
  const parts = [...article.children].filter((part) => getComputedStyle(part).position !== 'absolute');
  const [, ...blocks] = parts;
  const painted = blocks.flatMap((block) => [...block.querySelectorAll('*')]);
  const misplaced = painted.filter((element) => {
    const { backgroundColor, borderStyle, position } = getComputedStyle(element);
    if (position === 'absolute' || element.closest('[popover], pre')) return false;
    const isSeen =
      element.matches('img, svg') || borderStyle !== 'none' || backgroundColor !== 'rgba(0, 0, 0, 0)';
    return [...(isSeen ? [element.getBoundingClientRect()] : []), ...textsOf(element)].some(outside);
  });
  const shifted = blocks.filter(
    (block) => Math.abs(block.getBoundingClientRect().left - column.left) > 0.5 && block.clientWidth > 1,
  );
  return [...misplaced, ...shifted].map(({ outerHTML }) => outerHTML.slice(0, 120));
};

test('every edge of the card is on one column', async ({ page }) => {
  for (const id of [ids.twoGuilds, ids.everyFlag, ids.bot, ids.animated]) {
    await findProfile(page, id);
    await card(page).getByRole('list', { name: 'Pictures' }).waitFor();
    await card(page).getByText('Details', { exact: true }).click();
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await card(page).evaluate(besideColumn), `${id} at ${width} px`).toEqual([]);
    }
  }
});

test('the buttons of the card stand in one row of a phone in every language', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  for (const language of LANGUAGE_CODES) {
    await page.goto(`${localPath('/', language)}?id=${ids.ordinary}`);
    const open = card(page).locator('a[href*="discord.com/users"]');
    await open.waitFor();
    const row = open.locator('..').locator('> :is(a, button)');
    const middles = await row.evaluateAll((buttons) =>
      buttons
        .map((button) => button.getBoundingClientRect())
        .map(({ top, height }) => Math.round(top + height / 2)),
    );
    expect.soft(middles.length, language).toBe(3);
    expect.soft(new Set(middles).size, language).toBe(1);
    const scrolls = await row.evaluateAll((all) => all.some((one) => one.scrollWidth > one.clientWidth));
    expect.soft(scrolls, language).toBe(false);
  }
});

test('endless names, stacked letters and text of twice the size stay within a card', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto('/');
  for (const [id, hostile] of [
    [ids.ordinary, `\u202e${'W'.repeat(10_000)}`],
    [ids.bot, `a${'\u0310'.repeat(5_000)}`],
  ] as const) {
    const names = { username: hostile, display_name: hostile, global_name: hostile, discriminator: hostile };
    const guilds = { clan: { ...FIELDS.clan, tag: hostile }, primary_guild: FIELDS.primary_guild };
    await findWith(page, { ...FIELDS, ...names, ...guilds }, id);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await expect(card(page).getByText(/[\u202a-\u202e\u2066-\u2069]/)).toHaveCount(0);
  }
  await page.unrouteAll();
  await findProfile(page, ids.animated);
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("whatever a person's colour is, the card can be read, in light and in dark", async ({ page }) => {
  await findProfile(page, ids.ordinary);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const tint of ['#000', '#fff', '#ff0', '#00f']) {
      await card(page).evaluate((article, color) => article.style.setProperty('--tint', color), tint);
      await expectNoAxeViolations(page, ['color-contrast']);
    }
  }
});
