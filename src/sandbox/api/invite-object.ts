import { animated, guildBannerHash, guildIconHash } from '../profiles/asset-hashes.ts';
import { SAMPLE_USERS } from '../profiles/sample-profiles.ts';
import type { Draws } from '../profiles/seeded-draws.ts';
import type { UserObject } from '../profiles/user-object.ts';

export type InviteGuild = { readonly id: string; readonly name: string };

export type InviteQuestion = {
  readonly code: string;
  readonly draws: Draws;
  readonly nowMs: number;
  readonly withCounts: boolean;
};

const DAY_MS = 86_400_000;
const INVITERS: readonly UserObject[] = [...SAMPLE_USERS.values()];

/** Within a week, and the same all day: what has expired would not be found. */
const drawnExpiry = (draws: Draws, nowMs: number): string =>
  new Date((Math.floor(nowMs / DAY_MS) + 1 + draws.integer(7)) * DAY_MS).toISOString();

const drawnGuild = (draws: Draws, guild: InviteGuild, code: string): object => {
  const [hasIcon, moves, hasBanner] = [draws.chance(0.7), draws.chance(0.2), draws.chance(0.3)];
  const isVanity = draws.chance(0.15);
  const features = [
    ...draws.pick([['COMMUNITY', 'NEWS', 'INVITE_SPLASH'], ['COMMUNITY', 'DISCOVERABLE'], []]),
    ...(moves ? ['ANIMATED_ICON'] : []),
    ...(hasBanner ? ['BANNER'] : []),
    ...(isVanity ? ['VANITY_URL'] : []),
  ];
  const icon = guildIconHash(guild.id);
  return {
    ...guild,
    splash: null,
    banner: hasBanner ? guildBannerHash(guild.id) : null,
    description: draws.chance(0.4) ? `All about the ${guild.name}.` : null,
    icon: !hasIcon ? null : moves ? animated(icon) : icon,
    features,
    verification_level: draws.integer(5),
    vanity_url_code: isVanity ? code : null,
    nsfw_level: draws.pick([0, 0, 0, 1, 2, 3]),
    nsfw: false,
    premium_subscription_count: draws.integer(20),
  };
};

/** A guest is let into one voice channel, for as long as the call lasts. */
export const guildInvite = (
  guild: InviteGuild,
  isGuest: boolean,
  { code, draws, nowMs, withCounts }: InviteQuestion,
): object => {
  const hasInviter = isGuest || draws.chance(0.4);
  const expiry = isGuest || draws.chance(0.3) ? drawnExpiry(draws, nowMs) : null;
  const members = 20 + draws.integer(50_000);
  const presences = Math.ceil(members * draws.unit());
  return {
    type: 0,
    code,
    ...(hasInviter ? { inviter: draws.pick(INVITERS) } : {}),
    expires_at: expiry,
    ...(isGuest ? { flags: 1 } : {}),
    guild: drawnGuild(draws, guild, code),
    guild_id: guild.id,
    channel: {
      id: String(BigInt(guild.id) + 4_194_304n),
      type: isGuest ? 2 : 0,
      name: isGuest ? 'Fireside' : 'welcome',
    },
    ...(withCounts ? { approximate_member_count: members, approximate_presence_count: presences } : {}),
  };
};

export const groupInvite = ({ code, draws, nowMs, withCounts }: InviteQuestion): object => {
  const inviter = draws.pick(INVITERS);
  const { id, username, avatar } = inviter;
  return {
    type: 1,
    code,
    inviter,
    expires_at: drawnExpiry(draws, nowMs),
    channel: {
      id: String(BigInt(id) + 8_388_608n),
      type: 3,
      name: draws.pick([null, 'Board games']),
      recipients: [{ id, username, avatar }],
    },
    ...(withCounts ? { approximate_member_count: 2 + draws.integer(9) } : {}),
  };
};

export const friendInvite = ({ code, draws, nowMs }: InviteQuestion): object => ({
  type: 2,
  code,
  inviter: draws.pick(INVITERS),
  expires_at: drawnExpiry(draws, nowMs),
  friends_count: draws.integer(300),
  channel: null,
});
