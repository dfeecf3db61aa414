import { expect, it } from 'vitest';
import { parseDiscordUser } from '#server/platform/wire/discord-objects.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';
import { toProfile } from './to-profile.ts';

const CDN = 'https://cdn.example';
const HASH = '0123456789abcdef0123456789abcdef';
const ID = '175928847299117063';
const GUILD = '332779590571257874';
const identity = { identity_guild_id: GUILD, identity_enabled: true, tag: 'SNOW', badge: HASH };

const profileOf = (fields: Readonly<Record<string, unknown>>) => {
  const user = parseDiscordUser({ id: ID, username: 'nelly', discriminator: '0', ...fields });
  if (user === null) throw new Error('not a user');
  return toProfile(user, createCdnUrls(CDN));
};

it('falls back from the display name to the username', () => {
  expect(profileOf({}).display_name).toBe('nelly');
  const named = profileOf({ global_name: 'Nelly' });
  expect(named).toMatchObject({ display_name: 'Nelly', global_name: 'Nelly' });
  expect(profileOf({ global_name: '' })).toMatchObject({ display_name: 'nelly', global_name: '' });
});

it('builds image URLs from well-formed hashes, animated ones as WebP', () => {
  expect(profileOf({ avatar: HASH, banner: `a_${HASH}` })).toMatchObject({
    avatar_url: `${CDN}/avatars/${ID}/${HASH}.png?size=512`,
    banner_url: `${CDN}/banners/${ID}/a_${HASH}.webp?size=1024&animated=true`,
  });
});

it.each(['../../evil', `${HASH}.png?x=`, `A_${HASH}`, HASH.toUpperCase(), 7, {}, [HASH]])(
  'builds nothing from %j',
  (hash) => {
    const profile = profileOf({ avatar: hash, banner: hash, avatar_decoration_data: { asset: hash } });
    expect(profile.avatar_url).toBe(`${CDN}/embed/avatars/2.png`);
    expect([profile.banner_url, profile.avatar_decoration_url]).toEqual([null, null]);
  },
);

it.each([
  ['0', (175928847299117063n >> 22n) % 6n],
  ['0000', (175928847299117063n >> 22n) % 6n],
  ['1337', 2n],
  ['0007', 2n],
])('chooses the default avatar of discriminator %s', (discriminator, index) => {
  expect(profileOf({ discriminator }).avatar_url).toBe(`${CDN}/embed/avatars/${index}.png`);
});

it.each(['\u202e1234', '12345', '', '-1', '1e3', '٣٣٣٣', '12\n', 1234, null, {}])(
  'takes %j for no discriminator',
  (discriminator) => {
    expect(profileOf({ discriminator })).toMatchObject({
      discriminator: '0',
      avatar_url: profileOf({}).avatar_url,
    });
  },
);

it('passes on a tag, unless it is longer than any server has', () => {
  const tagOf = (tag: unknown) => profileOf({ primary_guild: { ...identity, tag } }).primary_guild?.tag;
  expect(tagOf('T'.repeat(32))).toBe('T'.repeat(32));
  expect(tagOf('T'.repeat(33))).toBeNull();
  expect(tagOf(7)).toBeNull();
});

it.each([
  [0, '#000000'],
  [0x00_00_ff, '#0000ff'],
  [0xff_ff_ff, '#ffffff'],
  [null, null],
  [-1, null],
  [0x1_00_00_00, null],
  [1.5, null],
  ['#ff0000', null],
  ['red;background:url(//evil)', null],
])('turns the accent colour %j into %j', (accent_color, color) => {
  const profile = profileOf({ accent_color, banner_color: '#123456' });
  expect([profile.accent_color, profile.banner_color]).toEqual([color, color]);
});

it('names the documented flags of both fields, beyond bit 31 too, and no verdicts', () => {
  const sent = (1 << 20) | (1 << 22) | 1;
  const { flags, public_flags } = profileOf({ public_flags: sent, flags: 2 ** 44 + 2 ** 16 });
  expect(flags.map(({ id }) => id)).toEqual(['STAFF', 'VERIFIED_BOT', 'ACTIVE_DEVELOPER']);
  expect(public_flags).toBe(sent);
});

it.each([
  [-(2 ** 31) + 1, 2 ** 31 + 1, ['STAFF']],
  [-(2 ** 31) - 1, 0, []],
  [2 ** 31 + 1, 2 ** 31 + 1, ['STAFF']],
])('reads the flags %i as unsigned, if they are 32 bits', (sent, shown, ids) => {
  const { flags, public_flags } = profileOf({ public_flags: sent });
  expect([public_flags, flags.map(({ id }) => id)]).toEqual([shown, ids]);
});

it('shows a guild identity only while it is worn', () => {
  expect(profileOf({ primary_guild: identity })).toMatchObject({
    primary_guild: { tag: 'SNOW', identity_guild_id: GUILD },
    clan: { tag: 'SNOW', identity_guild_id: GUILD },
    badge_url: `${CDN}/guild-tag-badges/${GUILD}/${HASH}.png?size=64`,
  });
  for (const identity_enabled of [false, null, undefined, 'true']) {
    const profile = profileOf({ primary_guild: { ...identity, identity_enabled } });
    expect(profile).toMatchObject({ primary_guild: null, clan: null, badge_url: null });
  }
});

it('prefers the clan that the platform sends', () => {
  const clan = { ...identity, identity_guild_id: '673347428472057875', tag: 'LAMP' };
  expect(profileOf({ primary_guild: identity, clan })).toMatchObject({
    clan: { tag: 'LAMP', identity_guild_id: '673347428472057875' },
    primary_guild: { tag: 'SNOW', identity_guild_id: GUILD },
  });
});

it('says whether an account is a bot or the platform itself', () => {
  expect(profileOf({})).toMatchObject({ id: ID, bot: false, system: false });
  expect(profileOf({ bot: true, system: true })).toMatchObject({ bot: true, system: true });
  expect(profileOf({ bot: 'true', system: 1 })).toMatchObject({ bot: false, system: false });
});

it.each([
  [HASH, `${CDN}/avatar-decoration-presets/${HASH}.png?size=256`],
  [`a_${HASH}`, `${CDN}/avatar-decoration-presets/a_${HASH}.png?size=256&passthrough=true`],
])('builds the URL of the decoration %j', (asset, url) => {
  expect(profileOf({ avatar_decoration_data: { asset, sku_id: '1' } }).avatar_decoration_url).toBe(url);
});

it('says where a decoration is from and until when it is worn, if there is one', () => {
  const worn = { sku_id: '1144058844004233369', expires_at: 1_758_582_000 };
  expect(profileOf({ avatar_decoration_data: { asset: HASH, ...worn } })).toMatchObject({
    avatar_decoration_sku_id: worn.sku_id,
    avatar_decoration_expires_at: '2025-09-22T23:00:00.000Z',
  });
  const none = profileOf({ avatar_decoration_data: { asset: 'none', ...worn } });
  expect([none.avatar_decoration_sku_id, none.avatar_decoration_expires_at]).toEqual([null, null]);
});

it('marks a provisional account, without a picture', () => {
  expect(profileOf({ public_flags: 1 << 23 }).flags).toEqual([
    { id: 'PROVISIONAL_ACCOUNT', name: 'Provisional account', image: null },
  ]);
});

it('passes hostile names on as they are', () => {
  const name = '<img src=x onerror=alert(1)>\u202egnp.\u200b\ud800';
  const profile = profileOf({ username: name, global_name: name });
  expect([profile.username, profile.display_name]).toEqual([name, name]);
});

const nameplateOf = (nameplate: unknown) => profileOf({ collectibles: { nameplate } }).nameplate;
const stylesOf = (display_name_styles: unknown) => profileOf({ display_name_styles }).display_name_styles;

it.each([
  ['nameplates/nameplates/twilight/', 'nameplates/nameplates/twilight/'],
  ['nameplates_v3/Cat-Beans/', 'nameplates_v3/Cat-Beans/'],
  ['nameplates/pokémon/', 'nameplates/pok%C3%A9mon/'],
])('builds the addresses of the nameplate %j', (asset, path) => {
  const nameplate = { asset, label: 'TWILIGHT', palette: 'cobalt', sku_id: '1349849614198505602' };
  expect(nameplateOf(nameplate)).toEqual({
    static_url: `${CDN}/assets/collectibles/${path}static.png`,
    animated_url: `${CDN}/assets/collectibles/${path}img.png`,
    sku_id: '1349849614198505602',
    expires_at: null,
    label: 'TWILIGHT',
    palette: 'cobalt',
  });
});

const PATHS = 'nameplates/../ ../ / //evil.example/ nameplates/x nameplates//x/ a%2f../ x?/ x#/'.split(' ');
const ODD = ['a b/', '\ud800/', 'a/'.repeat(7), `${'a'.repeat(65)}/`, null, 5, ['a/']];
it.each([...PATHS, ...ODD])('shows no nameplate of the asset %j', (asset) => {
  expect(nameplateOf({ asset })).toBeNull();
});

it.each([
  ['', 'plaid', null, null],
  ['L'.repeat(301), 'constructor', null, null],
  [7, ['cobalt'], null, null],
  ['L'.repeat(300), 'bubble_gum', 'L'.repeat(300), 'bubble_gum'],
])('takes only the labels and palettes that there are: %j, %j', (label, palette, ...shown) => {
  const nameplate = nameplateOf({ asset: 'x/', label, palette });
  expect([nameplate?.label, nameplate?.palette]).toEqual(shown);
});

it.each([
  ['1349849614198505602', 1_758_582_000, '1349849614198505602', '2025-09-22T23:00:00.000Z'],
  ['1349849614198505602', null, '1349849614198505602', null],
  [null, undefined, null, null],
  ['../evil', 0, null, null],
  [7, -1, null, null],
  [{}, 8.64e12 + 1, null, null],
  ['', '2026-01-01', null, null],
  ['secret', 1.5, null, null],
])('what is worn, with the number %j until %j', (sku_id, expires_at, ...shown) => {
  const nameplate = nameplateOf({ asset: 'x/', sku_id, expires_at });
  expect([nameplate?.sku_id, nameplate?.expires_at]).toEqual(shown);
});

it.each([
  [{ font_id: 8, effect_id: 2, colors: [0x7a_4f_d0, 0] }, 'pixelify', 'gradient', ['#7a4fd0', '#000000']],
  [{ font_id: 11, effect_id: 1, colors: [0xff] }, 'default', 'solid', ['#0000ff']],
  [{ font_id: 999, effect_id: 3, colors: null }, 'default', 'neon', []],
  [{ font_id: '8', effect_id: 'toString', colors: [1] }, 'default', 'solid', ['#000001']],
  [{ font_id: 1, effect_id: -1, colors: ['red', -1, 1.5, {}, 2] }, 'bangers', 'solid', ['#000002']],
  [{ font_id: 16, effect_id: 8, colors: Array(9).fill(3) }, 'kalam', 'gummy', Array(5).fill('#000003')],
])('names the style %j', (display_name_styles, font, effect, colors) => {
  expect(stylesOf(display_name_styles)).toEqual({ font, effect, colors });
});

it.each([null, undefined, [], 'neon', {}, { font_id: 11, effect_id: 1, colors: [] }, { font_id: 999 }])(
  'takes %j for no style',
  (display_name_styles) => {
    expect(stylesOf(display_name_styles)).toBeNull();
  },
);
