import english from '#texts/en.json' with { type: 'json' };
import type { ProfileFlag } from './contract/profile.ts';

type KnownFlag = { readonly bit: number; readonly id: keyof typeof FLAG_NAMES; readonly badge?: string };

const FLAG_NAMES = english.flags;

// The platform documents these, except the active developer badge, which it still sends, and the mark of game accounts.
// Others are private, or a verdict on a person (spammer, quarantined) that is not ours to repeat.
const KNOWN_FLAGS: readonly KnownFlag[] = [
  { bit: 0, id: 'STAFF', badge: 'staff' },
  { bit: 1, id: 'PARTNER', badge: 'partner' },
  { bit: 2, id: 'HYPESQUAD', badge: 'hypesquad-events' },
  { bit: 3, id: 'BUG_HUNTER_LEVEL_1', badge: 'bug-hunter-level-1' },
  { bit: 6, id: 'HYPESQUAD_ONLINE_HOUSE_1', badge: 'house-bravery' },
  { bit: 7, id: 'HYPESQUAD_ONLINE_HOUSE_2', badge: 'house-brilliance' },
  { bit: 8, id: 'HYPESQUAD_ONLINE_HOUSE_3', badge: 'house-balance' },
  { bit: 9, id: 'PREMIUM_EARLY_SUPPORTER', badge: 'early-supporter' },
  { bit: 10, id: 'TEAM_PSEUDO_USER', badge: 'team' },
  { bit: 14, id: 'BUG_HUNTER_LEVEL_2', badge: 'bug-hunter-level-2' },
  { bit: 16, id: 'VERIFIED_BOT', badge: 'verified-bot' },
  { bit: 17, id: 'VERIFIED_DEVELOPER', badge: 'early-verified-bot-developer' },
  { bit: 18, id: 'CERTIFIED_MODERATOR', badge: 'moderator-alumni' },
  { bit: 19, id: 'BOT_HTTP_INTERACTIONS', badge: 'http-interactions-bot' },
  { bit: 22, id: 'ACTIVE_DEVELOPER', badge: 'active-developer' },
  { bit: 23, id: 'PROVISIONAL_ACCOUNT' },
];

export const FLAG_BITS: readonly number[] = KNOWN_FLAGS.map(({ bit }) => bit);

/** Flags go beyond bit 31, where JavaScript's bit operators end. */
export const flagsFromBits = (bits: number): ProfileFlag[] => {
  const set = BigInt(bits);
  return KNOWN_FLAGS.filter(({ bit }) => ((set >> BigInt(bit)) & 1n) === 1n).map(({ id, badge }) => ({
    id,
    name: FLAG_NAMES[id],
    image: badge === undefined ? null : `/badges/${badge}.svg`,
  }));
};
