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
const nameplateOf = (nameplate: unknown) => profileOf({ collectibles: { nameplate } }).nameplate;
const tagOf = (tag: unknown) => profileOf({ primary_guild: { ...identity, tag } }).primary_guild?.tag;

it.each([
  [{ global_name: '' }, { display_name: 'nelly', global_name: '' }],
  [
    { bot: true, system: 1 },
    { bot: true, system: false },
  ],
  [{ accent_color: 0 }, { accent_color: '#000000', banner_color: '#000000' }],
  [
    { primary_guild: identity, clan: { ...identity, tag: 'LAMP' } },
    { primary_guild: { tag: 'SNOW' }, clan: { tag: 'LAMP' } },
  ],
  [
    { avatar_decoration_data: { asset: `a_${HASH}`, sku_id: GUILD, expires_at: 1_758_582_000 } },
    {
      avatar_decoration_url: `${CDN}/avatar-decoration-presets/a_${HASH}.png?size=256&passthrough=true`,
      avatar_decoration_expires_at: '2025-09-22T23:00:00.000Z',
    },
  ],
  [{ vad_colors: [0xf2a65a, 'red', -1, 0] }, { speaking_colors: ['#f2a65a', '#000000'] }],
  [{ vad_colors: Array(9).fill(3) }, { speaking_colors: Array(5).fill('#000003') }],
  [{ vad_colors: { 0: 1 } }, { speaking_colors: [] }],
])('the platform’s %j becomes %j in the profile', (sent, shown) => {
  expect(profileOf(sent)).toMatchObject(shown);
});

it('a discriminator chooses the default avatar, else the ID', () => {
  const index = (175928847299117063n >> 22n) % 6n;
  const { avatar_url } = profileOf({ discriminator: '1337' });
  expect([avatar_url, profileOf({}).avatar_url]).toEqual(
    [2n, index].map((n) => `${CDN}/embed/avatars/${n}.png`),
  );
});

it.each(['\u202e1234', '12345', '-1', '٣٣٣٣', '12\n', 1234])('%j is no discriminator', (discriminator) =>
  expect(profileOf({ discriminator })).toEqual(profileOf({})),
);

it('a server tag is shown unless it is longer than any server has, and only while it is worn', () => {
  expect([32, 33].map((length) => tagOf('T'.repeat(length)))).toEqual(['T'.repeat(32), null]);
  for (const identity_enabled of [false, 'true']) {
    const profile = profileOf({ primary_guild: { ...identity, identity_enabled } });
    expect(profile).toMatchObject({ primary_guild: null, clan: null, badge_url: null });
  }
});

it.each([
  [-(2 ** 31) + 1, 0, ['STAFF']],
  [2 ** 31 + 1, 0, ['STAFF']],
  [1 << 23, 0, ['PROVISIONAL_ACCOUNT']],
])('the flags %i and %i, unsigned if they are 32 bits, are named %j without verdicts', (sent, more, ids) => {
  const { flags, public_flags } = profileOf({ public_flags: sent, flags: more });
  expect(flags.map(({ id }) => id)).toEqual(ids);
  expect(public_flags).toBe(sent < -(2 ** 31) ? 0 : sent >>> 0);
});

it('a nameplate has the addresses of its pictures', () => {
  const shown = { label: 'TWILIGHT', palette: 'cobalt', sku_id: GUILD };
  expect(nameplateOf({ asset: 'nameplates_v3/pokémon/', expires_at: 1_758_582_000, ...shown })).toEqual({
    static_url: `${CDN}/assets/collectibles/nameplates_v3/pok%C3%A9mon/static.png`,
    animated_url: `${CDN}/assets/collectibles/nameplates_v3/pok%C3%A9mon/img.png`,
    expires_at: '2025-09-22T23:00:00.000Z',
    ...shown,
  });
});

it.each([
  { label: 'L'.repeat(301), palette: 'constructor', sku_id: '../evil', expires_at: 0 },
  { label: '', palette: ['cobalt'], sku_id: 'secret', expires_at: 8.64e12 + 1 },
])('of the nameplate with %j nothing is shown but its pictures', (sent) => {
  const nothing = { label: null, palette: null, sku_id: null, expires_at: null };
  expect(nameplateOf({ asset: 'x/', ...sent })).toMatchObject(nothing);
});

it.each([
  [
    { font_id: 8, effect_id: 2, colors: [0x7a_4f_d0, 0] },
    { font: 'pixelify', effect: 'gradient', colors: ['#7a4fd0', '#000000'] },
  ],
  [
    { font_id: 999, effect_id: 3, colors: null },
    { font: 'default', effect: 'neon', colors: [] },
  ],
  [
    { font_id: '1', effect_id: 'toString', colors: ['red', -1, 1.5, {}, 2] },
    { font: 'default', effect: 'solid', colors: ['#000002'] },
  ],
  [
    { font_id: 16, effect_id: 8, colors: Array(9).fill(3) },
    { font: 'kalam', effect: 'gummy', colors: Array(5).fill('#000003') },
  ],
  [{ font_id: 11, effect_id: 1, colors: [] }, null],
  [{ font_id: 999 }, null],
])('a name in the style %j is shown in %j', (display_name_styles, style) => {
  expect(profileOf({ display_name_styles }).display_name_styles).toEqual(style);
});
