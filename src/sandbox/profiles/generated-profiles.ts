import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { animated, avatarHash, bannerHash } from './asset-hashes.ts';
import { SAMPLE_USERS, UNKNOWN_USER_ID } from './sample-profiles.ts';
import { drawsFrom, type Draws } from './seeded-draws.ts';
import { userObject, type UserObject } from './user-object.ts';

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
const FLAG_BITS = [2, 3, 6, 7, 8, 9, 14, 17, 18, 22, 23];
const PEOPLE = [...SAMPLE_USERS.values()].filter(({ bot, system }) => bot !== true && system !== true);

const drawnFlags = (draws: Draws): number => {
  let flags = 0;
  while (draws.chance(0.45)) flags |= 1 << draws.pick(FLAG_BITS);
  return flags;
};

const username = (draws: Draws): string => {
  const number = draws.chance(0.4) ? String(draws.integer(draws.pick([10, 100, 10_000]))) : '';
  return `${draws.pick(FIRST_WORDS)}${draws.pick(['', '', '_', '.'])}${draws.pick(SECOND_WORDS)}${number}`;
};

const pictureLike = (sample: string | null, own: string): string | null => {
  if (sample === null) return null;
  return sample.startsWith('a_') ? animated(own) : own;
};

/** Like one of the samples, but for names, flags, and pictures that are the owner's own. */
const person = (draws: Draws, id: string): UserObject => {
  const sample = draws.pick(PEOPLE);
  const flags = drawnFlags(draws);
  return {
    ...sample,
    id,
    username: username(draws),
    global_name: draws.chance(0.7) ? draws.pick(GIVEN_NAMES) : null,
    avatar: pictureLike(sample.avatar, avatarHash(id)),
    banner: pictureLike(sample.banner, bannerHash(id)),
    public_flags: flags,
    flags,
  };
};

export const generatedBot = (id: string): UserObject => {
  const draws = drawsFrom(`bot-user:${id}`);
  return userObject({
    id,
    username: `${draws.pick(SECOND_WORDS).replace(/^./, (letter) => letter.toUpperCase())} Bot`,
    discriminator: String(1 + draws.integer(9999)).padStart(4, '0'),
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
  if (kind < 0.065) return userObject({ id, username: `deleted_user_${avatarHash(id).slice(0, 12)}` });
  return person(draws, id);
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
