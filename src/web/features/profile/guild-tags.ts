import type { GuildIdentity } from '#shared/contract/profile.ts';
import type { Profile } from '../../read-profile.ts';

export type ShownGuild = {
  readonly name: string;
  readonly guild: GuildIdentity;
  readonly badge: string | null;
};

type Guilds = Pick<Profile, 'clan' | 'primary_guild' | 'badge_url'>;

/** The badge is that of the primary guild. */
export const guildsOf = (
  { clan, primary_guild, badge_url }: Guilds,
  names: Readonly<Record<'clan' | 'primaryGuild', string>>,
): readonly ShownGuild[] => {
  const badge = clan?.identity_guild_id === primary_guild?.identity_guild_id ? badge_url : null;
  return [
    ...(clan ? [{ name: names.clan, guild: clan, badge }] : []),
    ...(primary_guild ? [{ name: names.primaryGuild, guild: primary_guild, badge: badge_url }] : []),
  ];
};

/** For where each tag is shown once: a clan is the older name of the primary guild, and mostly the same. */
export const distinctTags = (guilds: readonly ShownGuild[]): readonly ShownGuild[] => [
  ...new Map(guilds.map((shown) => [`${shown.guild.identity_guild_id} ${shown.guild.tag}`, shown])).values(),
];
