import { SAMPLE_USERS } from '../profiles/sample-profiles.ts';
import { drawsFrom, type Draws } from '../profiles/seeded-draws.ts';
import { EXPIRY } from '../profiles/user-object.ts';

export type Invites = ReturnType<typeof createInvites>;

type Guild = { readonly id: string; readonly name: string };

/** Every other code leads to a server. */
const NAMED = new Map<string, Guild | 'group' | 'friend' | 'unknown'>([
  ['whoflake', { id: '332779590571257874', name: 'Snowdrop Lounge' }],
  ['lantern', { id: '673347428472057875', name: 'Lantern Street' }],
  ['group', 'group'],
  ['friend', 'friend'],
  ['expired', 'unknown'],
]);
const CODE = /^[A-Za-z0-9-]{2,32}$/;
const ADJECTIVES = ['Quiet', 'Sunny', 'Nordic', 'Paper', 'Clockwork', 'Velvet'];
const PLACES = ['Harbour', 'Workshop', 'Library', 'Garden', 'Arcade', 'Observatory'];
const INVITERS = [...SAMPLE_USERS.values()];
const EXPIRES_AT = new Date(EXPIRY * 1_000).toISOString();

export const createInvites = () => {
  const changed = new Map<string, string | null>();

  const find = (code: string): object | undefined => {
    const guildId = changed.get(code);
    if (!CODE.test(code) || guildId === null) return undefined;
    const draws = drawsFrom(`invite:${code}`);
    const named = NAMED.get(code);
    const guild = typeof named === 'object' ? named : drawnGuild(draws);
    if (guildId !== undefined) return guildInvite(code, { ...guild, id: guildId });
    if (named === 'unknown') return undefined;
    if (named === 'group') return groupInvite(code, draws);
    return named === 'friend' ? friendInvite(code, draws) : guildInvite(code, guild);
  };

  return {
    find,
    /** As when an expired code is taken over; null makes it unknown. */
    setGuild: (code: string, guildId: string | null): void => {
      changed.set(code, guildId);
    },
  };
};

const drawnGuild = (draws: Draws): Guild => ({
  id: String(200_000_000_000_000_000n + BigInt(draws.integer(2 ** 31)) * 400_000_000n),
  name: `${draws.pick(ADJECTIVES)} ${draws.pick(PLACES)}`,
});

const guildInvite = (code: string, guild: Guild): object => ({
  type: 0,
  code,
  expires_at: null,
  guild: {
    ...guild,
    splash: null,
    banner: null,
    description: null,
    icon: null,
    features: ['COMMUNITY', 'NEWS'],
    verification_level: 1,
    vanity_url_code: null,
    nsfw_level: 0,
    nsfw: false,
    premium_subscription_count: 0,
  },
  guild_id: guild.id,
  channel: { id: String(BigInt(guild.id) + 4_194_304n), type: 0, name: 'welcome' },
});

const groupInvite = (code: string, draws: Draws): object => {
  const inviter = draws.pick(INVITERS);
  const id = String(BigInt(inviter.id) + 8_388_608n);
  return { type: 1, code, inviter, expires_at: EXPIRES_AT, channel: { id, type: 3, name: null } };
};

const friendInvite = (code: string, draws: Draws): object => ({
  type: 2,
  code,
  inviter: draws.pick(INVITERS),
  expires_at: EXPIRES_AT,
  friends_count: draws.integer(300),
  channel: null,
});
