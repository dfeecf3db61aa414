import type { GuildIdentity, Profile } from '#shared/contract/profile.ts';

export type ShownGuild = { readonly name: string; readonly guild: GuildIdentity };

/** A clan is the older name of the primary guild: while both are the same, one card says it. */
export const guildsShown = ({
  clan,
  primary_guild,
}: Pick<Profile, 'clan' | 'primary_guild'>): ShownGuild[] => {
  const guilds = [
    { name: 'Clan', guild: clan },
    { name: 'Primary Guild', guild: primary_guild },
  ].filter((shown): shown is ShownGuild => Boolean(shown.guild?.identity_guild_id));
  const [first, second] = guilds;
  const same =
    first?.guild.identity_guild_id === second?.guild.identity_guild_id &&
    first?.guild.tag === second?.guild.tag;
  return first && second && same ? [{ name: 'Clan and Primary Guild', guild: first.guild }] : guilds;
};
