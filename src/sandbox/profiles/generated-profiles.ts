import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { animated, avatarHash, bannerHash, DECORATION_ASSETS, NAMEPLATE_ASSETS } from './asset-hashes.ts';
import { SAMPLE_USERS, UNKNOWN_USER_ID } from './sample-profiles.ts';
import { drawsFrom, type Draws } from './seeded-draws.ts';
import { EXPIRY, primaryGuild, userObject, withoutNulls, type UserObject } from './user-object.ts';

const FIRST_WORDS =
  'amber brisk cedar dapper ember fable gentle hazel indigo jolly keen lucid mellow nimble opal plucky quartz rustic silver tidal umber velvet wistful zephyr'.split(
    ' ',
  );
const SECOND_WORDS =
  'anchor badger comet dune ember falcon grove harbor iris jackdaw kestrel lantern meadow nettle otter pepper quill raven sparrow thistle urchin violet willow yarrow'.split(
    ' ',
  );
const GIVEN_NAMES =
  'Ana,Bruno,Chiara,Dmitri,Elif,Fatima,Goran,Hana,Ines,Jonas,Kaya,Léa,Mio,Nadia,Óscar,Priya,Rafał,Søren,Théo,Uma,Viktor,Yara,Zoë,Łucja,しろ,유나,Нина,ليلى,小雪,❄ Frosty,*static*,no name'.split(
    ',',
  );
const ACCENTS = [
  0x3a6ea5, 0x9c4f96, 0xd9822b, 0x2a7f62, 0xc94c4c, 0x5c6bc0, 0x00838f, 0x6d4c41, 0xffffff, 0x000000,
];
const TAGS = ['FLKE', 'PINE', 'NOVA', 'KOI', 'RUNE', 'MOSS', '雪', 'EU', 'ZZZ', 'OWL'];
const GUILD_IDS = TAGS.map((_, index) =>
  String(290_926_798_626_357_000n + BigInt(index) * 7_000_000_000_000_003n),
);
const PALETTES = 'crimson berry sky teal forest bubble_gum violet cobalt clover lemon white black'.split(' ');
const DECORATION_SKU = '1144058844004233369';
const NAMEPLATE = { sku_id: '1349849614198505602', asset: NAMEPLATE_ASSETS[1] };
const LABELS = ['', 'NAMEPLATE_DRIFT_A11Y', 'Snow drifting across a dark field'];
const HUMAN_FLAG_BITS = [2, 3, 6, 7, 8, 9, 14, 17, 18, 22, 23];

const humanFlags = (draws: Draws): number => {
  let flags = 0;
  while (draws.chance(0.45)) flags |= 1 << draws.pick(HUMAN_FLAG_BITS);
  return flags;
};

const username = (draws: Draws): string => {
  const number = draws.chance(0.4) ? String(draws.integer(draws.pick([10, 100, 10_000]))) : '';
  return `${draws.pick(FIRST_WORDS)}${draws.pick(['', '', '_', '.'])}${draws.pick(SECOND_WORDS)}${number}`;
};

const drawnDiscriminator = (draws: Draws): string => String(1 + draws.integer(9999)).padStart(4, '0');

const picture = (draws: Draws, hashText: string): string =>
  draws.chance(0.2) ? animated(hashText) : hashText;

const drawnGuild = (draws: Draws): UserObject['primary_guild'] => {
  const at = draws.integer(TAGS.length);
  const enabled = draws.pick([true, true, true, true, false, null]);
  // A tag that the platform itself has cleared leaves an object full of nulls.
  return enabled === null
    ? { identity_guild_id: null, identity_enabled: null, tag: null, badge: null }
    : primaryGuild(GUILD_IDS[at] as string, TAGS[at] as string, enabled);
};

const drawnColors = (draws: Draws): number[] =>
  Array.from({ length: 1 + draws.integer(5) }, () => draws.pick(ACCENTS));

const drawnExpiry = (draws: Draws) => ({ expires_at: draws.chance(0.3) ? EXPIRY : null });

const drawnNameplate = (draws: Draws) => ({
  ...NAMEPLATE,
  ...drawnExpiry(draws),
  label: draws.pick(LABELS),
  palette: draws.pick(PALETTES),
});

const subscriberTraits = (draws: Draws, id: string): Partial<UserObject> => ({
  banner: picture(draws, bannerHash(id)),
  avatar_decoration_data: draws.chance(0.5)
    ? {
        asset: draws.pick(DECORATION_ASSETS),
        sku_id: draws.chance(0.9) ? DECORATION_SKU : null,
        ...drawnExpiry(draws),
      }
    : null,
  collectibles: draws.chance(0.3) ? { nameplate: draws.chance(0.8) ? drawnNameplate(draws) : null } : null,
  display_name_styles: draws.chance(0.3)
    ? // One number more of each than is known.
      { font_id: 1 + draws.integer(17), effect_id: 1 + draws.integer(9), colors: drawnColors(draws) }
    : null,
  ...(draws.chance(0.1) ? { vad_colors: [draws.pick(ACCENTS), draws.pick(ACCENTS)] } : {}),
});

const human = (draws: Draws, id: string): UserObject => {
  const flags = humanFlags(draws);
  return userObject({
    id,
    username: username(draws),
    global_name: draws.chance(0.7) ? draws.pick(GIVEN_NAMES) : null,
    avatar: draws.chance(0.85) ? picture(draws, avatarHash(id)) : null,
    accent_color: draws.chance(0.5) ? draws.pick(ACCENTS) : null,
    discriminator: draws.chance(0.02) ? drawnDiscriminator(draws) : '0',
    ...(draws.chance(0.25) ? subscriberTraits(draws, id) : {}),
    primary_guild: draws.chance(0.3) ? drawnGuild(draws) : null,
    public_flags: flags,
    flags: draws.chance(0.1) ? flags + 2 ** (33 + draws.integer(9)) : flags,
    ...(draws.chance(0.02) ? { bot: false, system: false } : {}),
  });
};

export const generatedBot = (id: string): UserObject => {
  const draws = drawsFrom(`bot-user:${id}`);
  return userObject({
    id,
    username: `${draws.pick(SECOND_WORDS).replace(/^./, (letter) => letter.toUpperCase())} Bot`,
    discriminator: drawnDiscriminator(draws),
    bot: true,
    avatar: draws.chance(0.6) ? avatarHash(id) : null,
    public_flags: draws.pick([0, 0, 1 << 19, 1 << 16]),
  });
};

export const generatedUser = (id: string, notFoundShare: number): UserObject | undefined => {
  const draws = drawsFrom(`user:${id}`);
  if (draws.chance(notFoundShare)) return undefined;
  const kind = draws.unit();
  if (kind < 0.05) return generatedBot(id);
  if (kind < 0.065) return userObject({ id, username: `deleted_user_${draws.hex32().slice(0, 12)}` });
  if (kind < 0.07) return userObject({ id, username: `Deleted User ${draws.hex32().slice(0, 8)}` });
  if (kind < 0.075) return userObject({ id, username: 'system', avatar: avatarHash(id), system: true });
  const user = human(draws, id);
  return draws.chance(0.3) ? withoutNulls(user) : user;
};

export type FindUser = (id: string) => UserObject | undefined;

type FindUserDeps = {
  readonly notFoundShare: number;
  readonly now: () => number;
  readonly isBot: (id: string) => boolean;
};

/** Smaller ids would be older than the platform's first users; none is written with zeros before it. */
const ID = /^[1-9]\d{16,}$/;

export const createFindUser =
  ({ notFoundShare, now, isBot }: FindUserDeps): FindUser =>
  (id) => {
    const sample = SAMPLE_USERS.get(id);
    if (sample !== undefined) return sample;
    if (id === UNKNOWN_USER_ID || !ID.test(id)) return undefined;
    if (snowflakeCreatedMs(id as Snowflake) > now()) return undefined;
    return isBot(id) ? generatedBot(id) : generatedUser(id, notFoundShare);
  };
