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

const HOSTILE_HASHES = [
  HASH,
  HASH.slice(2),
  HASH.toUpperCase(),
  `${HASH}
`,
  '',
  ...`${HASH}/../../evil ${HASH}?x ${HASH}# //evil.example/x https://evil.example/x.png @evil.example`.split(
    ' ',
  ),
];
const HOSTILE_COLORS = [0, 0xff_ff_ff, 0x1_00_00_00, -1, 1.5, 'red', '#123456', 'url(//evil.example)'];
const HOSTILE_GUILDS = ['332779590571257874', '1', '0332779590571257874', '../1', '332779590571257874/..', 5];

const orAnything = (dice: Dice, ...choices: readonly unknown[]): unknown =>
  dice.pick([...choices, hostileValue(dice)]);

const mostly = (dice: Dice, fields: Record<string, unknown>): unknown =>
  dice.chance(0.2) ? hostileValue(dice) : fields;

const hostileGuild = (dice: Dice): unknown =>
  mostly(dice, {
    identity_enabled: dice.pick<unknown>([true, true, false, null, 'true', 1]),
    identity_guild_id: orAnything(dice, ...HOSTILE_GUILDS),
    tag: orAnything(dice, 'TAG', hostileText(dice)),
    badge: orAnything(dice, ...HOSTILE_HASHES),
    secret: 'secret',
  });

const HOSTILE_ASSETS =
  'nameplates/nameplates/twilight/ nameplates/Ünïcode-1/ nameplates/../../evil/ //evil.example/ a%2e%2e/ x/?y/ x/#/'.split(
    ' ',
  );

const hostileAdornments = (dice: Dice): Record<string, unknown> => ({
  bot: orAnything(dice, true, false, 'true'),
  system: orAnything(dice, true, false, 1),
  avatar_decoration_data: mostly(dice, { asset: orAnything(dice, ...HOSTILE_HASHES), sku_id: 'secret' }),
  collectibles: mostly(dice, {
    nameplate: {
      asset: orAnything(dice, ...HOSTILE_ASSETS, hostileText(dice)),
      label: orAnything(dice, 'LABEL', hostileText(dice)),
      palette: orAnything(dice, 'cobalt', hostileText(dice)),
      secret: 'secret',
    },
  }),
  display_name_styles: mostly(dice, {
    font_id: orAnything(dice, 1, 16, 17, -1, '1'),
    effect_id: orAnything(dice, 1, 8, 9, '__proto__'),
    colors: orAnything(
      dice,
      dice.several(6, () => dice.pick(HOSTILE_COLORS)),
    ),
    secret: 'secret',
  }),
});

/** An answer of the platform for `ID` in which any field may be anything, or missing, and others are added. */
const hostileUser = (dice: Dice): Record<string, unknown> => {
  const user: Record<string, unknown> = {
    id: ID,
    username: dice.pick(['someone', hostileText(dice)]),
    global_name: orAnything(dice, null, hostileText(dice)),
    discriminator: orAnything(dice, '0', '0001', '9999', '-1', '1e9', hostileText(dice)),
    avatar: orAnything(dice, ...HOSTILE_HASHES),
    banner: orAnything(dice, ...HOSTILE_HASHES),
    accent_color: orAnything(dice, ...HOSTILE_COLORS),
    banner_color: orAnything(dice, ...HOSTILE_COLORS),
    public_flags: orAnything(dice, 0, 576, 2 ** 31, 2 ** 52),
    flags: orAnything(dice, 0, 576, 2 ** 31, 2 ** 52),
    primary_guild: hostileGuild(dice),
    clan: hostileGuild(dice),
    ...hostileAdornments(dice),
    email: 'secret@example.org',
    token: 'secret',
    avatar_url: 'https://evil.example/x.png',
    [hostileText(dice)]: hostileValue(dice),
  };
  for (const key of dice.several(3, () => dice.pick(Object.keys(user)))) if (key !== 'id') delete user[key];
  return user;
};

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
  'no colour': ({ accent_color, banner_color, display_name_styles: styles }) =>
    present([accent_color, banner_color, ...(styles?.colors ?? [])]).every((color) => COLOR.test(color)),
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
