import { Value } from 'typebox/value';
import { parseDiscordUser } from '#server/platform/discord-objects.ts';
import { toProfile } from '#server/lookup/to-profile.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';
import { ProfileSchema, type Profile } from '#shared/contract/profile.ts';
import { NAME_EFFECTS, NAME_FONTS } from '#shared/name-styles.ts';
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
  `${HASH}/../../evil`,
  `${HASH}?x`,
  `${HASH}#`,
  `${HASH}\n`,
  HASH.toUpperCase(),
  '//evil.example/x',
  'https://evil.example/x.png',
  '@evil.example',
  'javascript:alert(1)',
  '',
];
const HOSTILE_COLORS = [
  0,
  0xff_ff_ff,
  0x1_00_00_00,
  -1,
  1.5,
  1e21,
  'red',
  '#123456',
  'url(//evil.example)',
  'x;y:z',
];
const HOSTILE_GUILDS = ['332779590571257874', '1', '0332779590571257874', '../1', '332779590571257874/..', 5];

const hostileGuild = (dice: Dice): unknown =>
  dice.chance(0.2)
    ? hostileValue(dice)
    : {
        identity_enabled: dice.pick<unknown>([true, true, false, null, 'true', 1]),
        identity_guild_id: dice.pick<unknown>([...HOSTILE_GUILDS, hostileValue(dice)]),
        tag: dice.pick<unknown>(['TAG', hostileText(dice), hostileValue(dice)]),
        badge: dice.pick<unknown>([...HOSTILE_HASHES, hostileValue(dice)]),
      };

const HOSTILE_ASSETS = [
  'nameplates/nameplates/twilight/',
  'nameplates/Ünïcode-1/',
  'nameplates/../../evil/',
  '//evil.example/',
  'a\\..\\b/',
  'a%2e%2e/',
  'x/?y/',
  'x/#/',
  '',
];

const hostileAdornments = (dice: Dice): Record<string, unknown> => ({
  bot: dice.pick<unknown>([true, false, 'true', hostileValue(dice)]),
  system: dice.pick<unknown>([true, false, 1, hostileValue(dice)]),
  avatar_decoration_data: dice.chance(0.2)
    ? hostileValue(dice)
    : { asset: dice.pick<unknown>([...HOSTILE_HASHES, hostileValue(dice)]), sku_id: 'secret' },
  collectibles: dice.chance(0.2)
    ? hostileValue(dice)
    : {
        nameplate: {
          asset: dice.pick<unknown>([...HOSTILE_ASSETS, hostileText(dice), hostileValue(dice)]),
          label: dice.pick<unknown>(['LABEL', hostileText(dice), hostileValue(dice)]),
          palette: dice.pick<unknown>(['cobalt', hostileText(dice), hostileValue(dice)]),
          secret: 'secret',
        },
      },
  display_name_styles: dice.chance(0.2)
    ? hostileValue(dice)
    : {
        font_id: dice.pick<unknown>([1, 16, 17, -1, '1', hostileValue(dice)]),
        effect_id: dice.pick<unknown>([1, 8, 9, '__proto__', hostileValue(dice)]),
        colors: dice.pick<unknown>([dice.several(6, () => dice.pick(HOSTILE_COLORS)), hostileValue(dice)]),
        secret: 'secret',
      },
});

/** An answer of the platform for `ID` in which any field may be anything, or missing, and others are added. */
const hostileUser = (dice: Dice): Record<string, unknown> => {
  const user: Record<string, unknown> = {
    id: ID,
    username: dice.pick<unknown>(['someone', hostileText(dice)]),
    global_name: dice.pick<unknown>([null, hostileText(dice), hostileValue(dice)]),
    discriminator: dice.pick<unknown>([
      '0',
      '0001',
      '9999',
      '-1',
      '1e9',
      hostileText(dice),
      hostileValue(dice),
    ]),
    avatar: dice.pick<unknown>([...HOSTILE_HASHES, hostileValue(dice)]),
    banner: dice.pick<unknown>([...HOSTILE_HASHES, hostileValue(dice)]),
    accent_color: dice.pick<unknown>([...HOSTILE_COLORS, hostileValue(dice)]),
    banner_color: dice.pick<unknown>([...HOSTILE_COLORS, hostileValue(dice)]),
    public_flags: dice.pick<unknown>([0, 576, 2 ** 31, 2 ** 52, hostileValue(dice)]),
    flags: dice.pick<unknown>([0, 576, 2 ** 31, 2 ** 52, hostileValue(dice)]),
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

const hasKeys = (value: object, keys: readonly string[]): boolean =>
  Object.keys(value).toSorted().join() === keys.toSorted().join();

const isOurs = (text: string): boolean => {
  const url = new URL(text);
  return url.origin === CDN && url.href === text && url.hash === '';
};

const present = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);

/** What must hold for every profile, by what is wrong if it does not. */
const RULES: Readonly<Record<string, (profile: Profile) => boolean>> = {
  'not of the contract': (profile) => Value.Check(ProfileSchema, profile),
  'other fields': (profile) => hasKeys(profile, Object.keys(ProfileSchema.properties)),
  'a guild with other fields': ({ clan, primary_guild }) =>
    present([clan, primary_guild]).every((guild) => hasKeys(guild, ['tag', 'identity_guild_id'])),
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
      nameplate && nameplate.static_url,
      nameplate && nameplate.animated_url,
    ]).every(isOurs),
  'a look of no known name': ({ nameplate, display_name_styles: styles }) =>
    /^[a-z_]{1,20}$/.test(nameplate?.palette ?? 'none') &&
    (styles === null || (NAME_FONTS.includes(styles.font) && NAME_EFFECTS.includes(styles.effect))),
  'a look with other fields': ({ nameplate, display_name_styles: styles }) =>
    (nameplate === null || hasKeys(nameplate, ['static_url', 'animated_url', 'label', 'palette'])) &&
    (styles === null || hasKeys(styles, ['font', 'effect', 'colors'])),
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
