import { animated, avatarHash, bannerHash, DECORATION_ASSETS, tagBadgeHash } from './asset-hashes.ts';
import { drawsFrom, type Draws } from './seeded-draws.ts';
import {
  userObject,
  withoutNulls,
  type PrimaryGuild,
  type UserObject,
  type UserTraits,
} from './user-object.ts';

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
const PALETTES = 'crimson berry sky teal forest bubble_gum violet cobalt clover lemon white'.split(' ');
const HUMAN_FLAG_BITS = [2, 3, 6, 7, 8, 9, 14, 17, 18, 22];

const humanFlags = (draws: Draws): number => {
  let flags = 0;
  while (draws.chance(0.45)) flags |= 1 << draws.pick(HUMAN_FLAG_BITS);
  return flags;
};

const username = (draws: Draws): string => {
  const number = draws.chance(0.4) ? String(draws.integer(draws.pick([10, 100, 10_000]))) : '';
  return `${draws.pick(FIRST_WORDS)}${draws.pick(['', '', '_', '.'])}${draws.pick(SECOND_WORDS)}${number}`;
};

const picture = (draws: Draws, hashText: string): string =>
  draws.chance(0.2) ? animated(hashText) : hashText;

const primaryGuild = (draws: Draws): PrimaryGuild => {
  const at = draws.integer(TAGS.length);
  const guildId = GUILD_IDS[at] as string;
  const enabled = draws.pick([true, true, true, true, false, null]);
  // A tag that the platform itself has cleared leaves an object full of nulls.
  return enabled === null
    ? { identity_guild_id: null, identity_enabled: null, tag: null, badge: null }
    : {
        identity_guild_id: guildId,
        identity_enabled: enabled,
        tag: TAGS[at] as string,
        badge: tagBadgeHash(guildId),
      };
};

const subscriberTraits = (draws: Draws, id: string): Partial<UserObject> => ({
  banner: picture(draws, bannerHash(id)),
  ...(draws.chance(0.5)
    ? { avatar_decoration_data: { asset: draws.pick(DECORATION_ASSETS), sku_id: null } }
    : {}),
  ...(draws.chance(0.3)
    ? {
        collectibles: {
          nameplate: {
            sku_id: '1349849614198505602',
            asset: 'nameplates/nameplates/drift/',
            label: '',
            palette: draws.pick(PALETTES),
          },
        },
      }
    : {}),
  ...(draws.chance(0.3)
    ? { display_name_styles: { font_id: 1 + draws.integer(12), effect_id: 1, colors: [draws.pick(ACCENTS)] } }
    : {}),
  ...(draws.chance(0.1) ? { vad_colors: [draws.pick(ACCENTS), draws.pick(ACCENTS)] } : {}),
});

const human = (draws: Draws, id: string): UserTraits => {
  const flags = humanFlags(draws);
  return {
    id,
    username: username(draws),
    ...(draws.chance(0.7) ? { global_name: draws.pick(GIVEN_NAMES) } : {}),
    ...(draws.chance(0.85) ? { avatar: picture(draws, avatarHash(id)) } : {}),
    ...(draws.chance(0.5) ? { accent_color: draws.pick(ACCENTS) } : {}),
    ...(draws.chance(0.02) ? { discriminator: String(1 + draws.integer(9999)).padStart(4, '0') } : {}),
    ...(draws.chance(0.25) ? subscriberTraits(draws, id) : {}),
    ...(draws.chance(0.3) ? { primary_guild: primaryGuild(draws) } : {}),
    public_flags: flags,
    flags: draws.chance(0.1) ? flags + 2 ** (33 + draws.integer(9)) : flags,
  };
};

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const generatedBot = (seed: string, id: string): UserObject => {
  const draws = drawsFrom(`${seed}:bot-user:${id}`);
  return userObject({
    id,
    username: `${capitalised(draws.pick(SECOND_WORDS))} Bot`,
    discriminator: String(1 + draws.integer(9999)).padStart(4, '0'),
    bot: true,
    avatar: draws.chance(0.6) ? avatarHash(id) : null,
    public_flags: draws.pick([0, 0, 1 << 19, 1 << 16]),
  });
};

const deleted = (draws: Draws, id: string): UserObject =>
  userObject({ id, username: `deleted_user_${draws.hex32().slice(0, 12)}` });

/** The user that this id has in the sandbox's world: always the same one for one seed, or none. */
export const generatedUser = (seed: string, id: string, notFoundShare: number): UserObject | undefined => {
  const draws = drawsFrom(`${seed}:user:${id}`);
  if (draws.chance(notFoundShare)) return undefined;
  const kind = draws.unit();
  if (kind < 0.05) return generatedBot(seed, id);
  if (kind < 0.07) return deleted(draws, id);
  const user = userObject(human(draws, id));
  return draws.chance(0.3) ? withoutNulls(user) : user;
};
