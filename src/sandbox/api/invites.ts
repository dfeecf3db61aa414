import { drawsFrom } from '../profiles/seeded-draws.ts';

export type Invites = {
  /** The body of GET /invites/{code}, or undefined for an unknown or expired one. */
  readonly find: (code: string, withCounts: boolean) => object | undefined;
  /** Lets a code point to another guild, as when an expired code is taken over; null makes it unknown. */
  readonly setGuild: (code: string, guildId: string | null) => void;
};

const NAMED_GUILDS = new Map([
  ['whoflake', { id: '332779590571257874', name: 'Snowdrop Lounge' }],
  ['lantern', { id: '673347428472057875', name: 'Lantern Street' }],
]);
const EXPIRED_CODE = 'expired';
const CODE = /^[A-Za-z0-9-]{2,32}$/;
const ADJECTIVES = ['Quiet', 'Sunny', 'Nordic', 'Paper', 'Clockwork', 'Velvet'];
const PLACES = ['Harbour', 'Workshop', 'Library', 'Garden', 'Arcade', 'Observatory'];

const PLAIN_GUILD = {
  splash: null,
  banner: null,
  description: null,
  icon: null,
  features: ['COMMUNITY', 'NEWS', 'INVITE_SPLASH'],
  verification_level: 2,
  vanity_url_code: null,
  nsfw_level: 0,
  nsfw: false,
};

export const createInvites = (seed: string, notFoundShare: number): Invites => {
  const changed = new Map<string, string | null>();

  const find: Invites['find'] = (code, withCounts) => {
    if (!CODE.test(code)) return undefined;
    const draws = drawsFrom(`${seed}:invite:${code}`);
    const unknown = draws.chance(notFoundShare);
    const generated = {
      id: String(200_000_000_000_000_000n + BigInt(draws.integer(2 ** 31)) * 400_000_000n),
      name: `${draws.pick(ADJECTIVES)} ${draws.pick(PLACES)}`,
    };
    const named = NAMED_GUILDS.get(code);
    const changedId = changed.get(code);
    const isMissing = named === undefined && (unknown || code === EXPIRED_CODE);
    if (changedId === null || (changedId === undefined && isMissing)) return undefined;

    const guild = { ...(named ?? generated), ...(changedId !== undefined && { id: changedId }) };
    const members = 20 + draws.integer(50_000);
    return {
      type: 0,
      code,
      expires_at: null,
      guild: { ...guild, ...PLAIN_GUILD, premium_subscription_count: draws.integer(20) },
      guild_id: guild.id,
      channel: { id: String(BigInt(guild.id) + 4_194_304n), type: 0, name: 'welcome' },
      ...(withCounts
        ? { approximate_member_count: members, approximate_presence_count: Math.ceil(members * draws.unit()) }
        : {}),
    };
  };

  return {
    find,
    setGuild: (code, guildId) => {
      changed.set(code, guildId);
    },
  };
};
