import { isDeepStrictEqual } from 'node:util';
import { Value } from 'typebox/value';
import { parseDiscordUser } from '#server/platform/wire/discord-objects.ts';
import { toProfile } from '#server/lookup/to-profile.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';
import { ProfileSchema, type Profile } from '#shared/contract/profile.ts';
import { createDice, type Dice } from './dice.ts';
import { hostileText, hostileValue } from './hostile-text.ts';
import { createTally, type FuzzResult } from './tally.ts';

const CDN = 'https://cdn.example.org';
const ID = '441997505123577857';
const HASH = 'a_0123456789abcdef0123456789abcdef';
const COLOR = /^#[0-9a-f]{6}$/;
const GUILD_ID = /^[1-9]\d{14,18}$/;
const BADGE = /^\/badges\/[a-z0-9-]+\.svg$/;

const GUILD = {
  identity_enabled: true,
  identity_guild_id: '332779590571257874',
  tag: 'TAG',
  badge: HASH,
  secret: 'secret',
};
/** An answer of the platform in which every field is there, and some that are nobody's business. */
const USER = {
  id: ID,
  username: 'someone',
  global_name: 'Someone',
  discriminator: '0001',
  avatar: HASH,
  banner: HASH,
  accent_color: 0xff_ff_ff,
  banner_color: '#123456',
  public_flags: 576,
  flags: 2 ** 31,
  bot: true,
  system: false,
  primary_guild: GUILD,
  clan: GUILD,
  avatar_decoration_data: { asset: HASH, sku_id: 'secret' },
  collectibles: {
    nameplate: {
      asset: 'nameplates/nameplates/twilight/',
      label: 'LABEL',
      palette: 'cobalt',
      secret: 'secret',
    },
  },
  display_name_styles: { font_id: 1, effect_id: 8, colors: [0, 0xff_ff_ff, 7], secret: 'secret' },
  vad_colors: [0, 0xff_ff_ff],
  email: 'secret@example.org',
  token: 'secret',
  avatar_url: 'https://evil.example/x.png',
};

const HOSTILE: readonly unknown[] = [
  ...['', '/../../evil', '?x', '#', '\n'].map((end) => `${HASH}${end}`),
  ...'//evil.example/x https://evil.example/x.png @evil.example url(//evil.example) nameplates/../../evil/'.split(
    ' ',
  ),
  ...'nameplates/Ünïcode-1/ a%2e%2e/ x/?y/ x/#/ red #123456 true -1 1e9 1 ../1 0332779590571257874'.split(
    ' ',
  ),
  HASH.toUpperCase(),
  '332779590571257874/..',
  '__proto__',
  0,
  0x1_00_00_00,
  -1,
  1.5,
  17,
  2 ** 52,
  true,
];

/** The same with any of its parts replaced or missing. */
const spoil = (dice: Dice, value: unknown): unknown => {
  if (dice.chance(0.15)) return dice.chance(0.5) ? dice.pick(HOSTILE) : hostileValue(dice);
  if (Array.isArray(value)) return value.map((one) => spoil(dice, one));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(() => !dice.chance(0.05));
  return Object.fromEntries(kept.map(([name, part]) => [name, spoil(dice, part)]));
};

const hostileUser = (dice: Dice): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(USER).map(([name, part]) => [name, spoil(dice, part)])),
  id: ID,
  [hostileText(dice)]: hostileValue(dice),
});

const isOurs = (text: string): boolean => {
  const url = new URL(text);
  return url.origin === CDN && url.href === text && url.hash === '';
};

const present = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);

const RULES: Readonly<Record<string, (profile: Profile) => boolean>> = {
  'not of the contract': (profile) => Value.Check(ProfileSchema, profile),
  'other fields': (profile) =>
    isDeepStrictEqual(Value.Clean(ProfileSchema, structuredClone(profile)), profile),
  'a guild id that is none': ({ clan, primary_guild }) =>
    present([clan, primary_guild]).every(({ identity_guild_id }) => GUILD_ID.test(identity_guild_id)),
  'a foreign badge': ({ flags }) =>
    present(flags.map(({ image }) => image)).every((image) => BADGE.test(image)),
  'no colour': ({ accent_color, banner_color, speaking_colors, display_name_styles: styles }) =>
    present([accent_color, banner_color, ...speaking_colors, ...(styles?.colors ?? [])]).every((color) =>
      COLOR.test(color),
    ),
  'a foreign address': ({ avatar_url, banner_url, badge_url, avatar_decoration_url, nameplate }) =>
    present([
      avatar_url,
      banner_url,
      badge_url,
      avatar_decoration_url,
      nameplate?.static_url ?? null,
      nameplate?.animated_url ?? null,
    ]).every(isOurs),
  'a palette of no known name': ({ nameplate }) => /^[a-z_]{1,20}$/.test(nameplate?.palette ?? 'none'),
  'a secret': (profile) => !JSON.stringify(profile).includes('"secret'),
};

const faultOf = (profile: Profile): string | undefined =>
  Object.keys(RULES).find((fault) => RULES[fault]?.(profile) !== true);

/** Whatever the platform says of a user, a profile has the contract's fields, our addresses and plain colours. */
export const fuzzProfiles = (seed: number, count: number): FuzzResult => {
  const dice = createDice(seed);
  const cdn = createCdnUrls(CDN);
  const tally = createTally();
  for (let profile = 0; profile < count; profile += 1) {
    const body = hostileUser(dice);
    const user = parseDiscordUser(JSON.parse(JSON.stringify(body)));
    const fault = user === null ? undefined : faultOf(toProfile(user, cdn));
    tally.check(fault === undefined, () => `${fault}: ${JSON.stringify(body)}`);
  }
  return tally.result();
};
