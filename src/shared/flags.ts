import type { UserFlags } from 'discord-api-types/v10';
import english from '#texts/en.json' with { type: 'json' };

type KnownFlag = { readonly value: number; readonly id: keyof typeof FLAG_NAMES; readonly badge?: string };

export const FLAG_NAMES = english.flags;

// Those that the platform documents, the active developer badge, which it still sends, and the mark of game accounts.
// Others are private, or a verdict on a person (spammer, quarantined) that is not ours to repeat.
export const KNOWN_FLAGS: readonly KnownFlag[] = [
  { value: 1 satisfies UserFlags.Staff, id: 'STAFF', badge: 'staff' },
  { value: 2 satisfies UserFlags.Partner, id: 'PARTNER', badge: 'partner' },
  { value: 4 satisfies UserFlags.Hypesquad, id: 'HYPESQUAD', badge: 'hypesquad-events' },
  { value: 8 satisfies UserFlags.BugHunterLevel1, id: 'BUG_HUNTER_LEVEL_1', badge: 'bug-hunter-level-1' },
  {
    value: 64 satisfies UserFlags.HypeSquadOnlineHouse1,
    id: 'HYPESQUAD_ONLINE_HOUSE_1',
    badge: 'house-bravery',
  },
  {
    value: 128 satisfies UserFlags.HypeSquadOnlineHouse2,
    id: 'HYPESQUAD_ONLINE_HOUSE_2',
    badge: 'house-brilliance',
  },
  {
    value: 256 satisfies UserFlags.HypeSquadOnlineHouse3,
    id: 'HYPESQUAD_ONLINE_HOUSE_3',
    badge: 'house-balance',
  },
  {
    value: 512 satisfies UserFlags.PremiumEarlySupporter,
    id: 'PREMIUM_EARLY_SUPPORTER',
    badge: 'early-supporter',
  },
  { value: 1024 satisfies UserFlags.TeamPseudoUser, id: 'TEAM_PSEUDO_USER', badge: 'team' },
  {
    value: 16_384 satisfies UserFlags.BugHunterLevel2,
    id: 'BUG_HUNTER_LEVEL_2',
    badge: 'bug-hunter-level-2',
  },
  { value: 65_536 satisfies UserFlags.VerifiedBot, id: 'VERIFIED_BOT', badge: 'verified-bot' },
  {
    value: 131_072 satisfies UserFlags.VerifiedDeveloper,
    id: 'VERIFIED_DEVELOPER',
    badge: 'early-verified-bot-developer',
  },
  {
    value: 262_144 satisfies UserFlags.CertifiedModerator,
    id: 'CERTIFIED_MODERATOR',
    badge: 'moderator-alumni',
  },
  {
    value: 524_288 satisfies UserFlags.BotHTTPInteractions,
    id: 'BOT_HTTP_INTERACTIONS',
    badge: 'http-interactions-bot',
  },
  { value: 4_194_304 satisfies UserFlags.ActiveDeveloper, id: 'ACTIVE_DEVELOPER', badge: 'active-developer' },
  { value: 8_388_608, id: 'PROVISIONAL_ACCOUNT' },
];
