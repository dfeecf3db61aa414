import { drawsFrom } from '../profiles/seeded-draws.ts';
import { friendInvite, groupInvite, guildInvite } from './invite-object.ts';

export type Invites = {
  /** The body of GET /invites/{code}, or undefined for an unknown or expired one. */
  readonly find: (code: string, withCounts: boolean) => object | undefined;
  /** Lets a code point to another guild, as when an expired code is taken over; null makes it unknown. */
  readonly setGuild: (code: string, guildId: string | null) => void;
};

export type InvitesDeps = {
  readonly seed: string;
  readonly notFoundShare: number;
  readonly now: () => number;
};

type Kind = 'guild' | 'guest' | 'group' | 'friend' | 'unknown';

const NAMED_GUILDS = new Map([
  ['whoflake', { id: '332779590571257874', name: 'Snowdrop Lounge' }],
  ['lantern', { id: '673347428472057875', name: 'Lantern Street' }],
]);
const NAMED_KINDS = new Map<string, Kind>([
  ['whoflake', 'guild'],
  ['lantern', 'guild'],
  ['guest', 'guest'],
  ['group', 'group'],
  ['friend', 'friend'],
  ['expired', 'unknown'],
]);
const CODE = /^[A-Za-z0-9-]{2,32}$/;
const ADJECTIVES = ['Quiet', 'Sunny', 'Nordic', 'Paper', 'Clockwork', 'Velvet'];
const PLACES = ['Harbour', 'Workshop', 'Library', 'Garden', 'Arcade', 'Observatory'];

const kindAt = (share: number): Kind =>
  share < 0.03 ? 'group' : share < 0.05 ? 'friend' : share < 0.07 ? 'guest' : 'guild';

export const createInvites = ({ seed, notFoundShare, now }: InvitesDeps): Invites => {
  const changed = new Map<string, string | null>();

  const find: Invites['find'] = (code, withCounts) => {
    const changedId = changed.get(code);
    if (!CODE.test(code) || changedId === null) return undefined;
    const draws = drawsFrom(`${seed}:invite:${code}`);
    const drawnKind = draws.chance(notFoundShare) ? 'unknown' : kindAt(draws.unit());
    const kind = changedId === undefined ? (NAMED_KINDS.get(code) ?? drawnKind) : 'guild';
    const question = { code, draws, nowMs: now(), withCounts };
    if (kind === 'unknown') return undefined;
    if (kind === 'group') return groupInvite(question);
    if (kind === 'friend') return friendInvite(question);

    const generated = {
      id: String(200_000_000_000_000_000n + BigInt(draws.integer(2 ** 31)) * 400_000_000n),
      name: `${draws.pick(ADJECTIVES)} ${draws.pick(PLACES)}`,
    };
    const guild = { ...(NAMED_GUILDS.get(code) ?? generated), ...(changedId && { id: changedId }) };
    return guildInvite(guild, kind === 'guest', question);
  };

  return {
    find,
    setGuild: (code, guildId) => {
      changed.set(code, guildId);
    },
  };
};
