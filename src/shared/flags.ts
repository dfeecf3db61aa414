import type { ProfileFlag } from './contract/profile.ts';

type KnownFlag = {
  readonly bit: number;
  readonly id: string;
  readonly name: string;
  readonly badge?: string;
};

/**
 * The flags that the platform documents, the active developer badge, which it no longer gives out but still sends, and
 * the mark of accounts that a game has made for its players. Others are private, or a verdict on a person (spammer,
 * quarantined) that is not ours to repeat.
 */
const KNOWN_FLAGS: readonly KnownFlag[] = [
  { bit: 0, id: 'STAFF', name: 'Discord Employee', badge: 'staff' },
  { bit: 1, id: 'PARTNER', name: 'Partnered Server Owner', badge: 'partner' },
  { bit: 2, id: 'HYPESQUAD', name: 'HypeSquad Events Member', badge: 'hypesquad-events' },
  { bit: 3, id: 'BUG_HUNTER_LEVEL_1', name: 'Bug Hunter Level 1', badge: 'bug-hunter-level-1' },
  { bit: 6, id: 'HYPESQUAD_ONLINE_HOUSE_1', name: 'House Bravery Member', badge: 'house-bravery' },
  { bit: 7, id: 'HYPESQUAD_ONLINE_HOUSE_2', name: 'House Brilliance Member', badge: 'house-brilliance' },
  { bit: 8, id: 'HYPESQUAD_ONLINE_HOUSE_3', name: 'House Balance Member', badge: 'house-balance' },
  { bit: 9, id: 'PREMIUM_EARLY_SUPPORTER', name: 'Early Nitro Supporter', badge: 'early-supporter' },
  { bit: 10, id: 'TEAM_PSEUDO_USER', name: 'User is a team', badge: 'team' },
  { bit: 14, id: 'BUG_HUNTER_LEVEL_2', name: 'Bug Hunter Level 2', badge: 'bug-hunter-level-2' },
  { bit: 16, id: 'VERIFIED_BOT', name: 'Verified Bot', badge: 'verified-bot' },
  {
    bit: 17,
    id: 'VERIFIED_DEVELOPER',
    name: 'Early Verified Bot Developer',
    badge: 'early-verified-bot-developer',
  },
  { bit: 18, id: 'CERTIFIED_MODERATOR', name: 'Moderator Programs Alumni', badge: 'moderator-alumni' },
  {
    bit: 19,
    id: 'BOT_HTTP_INTERACTIONS',
    name: 'Bot uses only HTTP interactions',
    badge: 'http-interactions-bot',
  },
  { bit: 22, id: 'ACTIVE_DEVELOPER', name: 'Active Developer', badge: 'active-developer' },
  { bit: 23, id: 'PROVISIONAL_ACCOUNT', name: 'Provisional account' },
];

export const FLAG_BITS: readonly number[] = KNOWN_FLAGS.map(({ bit }) => bit);

/** Flags go beyond bit 31, where JavaScript's bit operators end. */
export const flagsFromBits = (bits: number): ProfileFlag[] => {
  const set = BigInt(bits);
  return KNOWN_FLAGS.filter(({ bit }) => ((set >> BigInt(bit)) & 1n) === 1n).map(({ id, name, badge }) => ({
    id,
    name,
    image: badge === undefined ? null : `/badges/${badge}.svg`,
  }));
};
