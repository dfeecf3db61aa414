import type { GuildIdentity, Profile } from '#shared/contract/profile.ts';

type ShownGuild = { readonly name: string; readonly guild: GuildIdentity; readonly badge: string | null };

type Guilds = Pick<Profile, 'clan' | 'primary_guild' | 'badge_url'>;

/** A clan is the older name of the primary guild: while both are the same, one tag says it. */
export const guildsShown = (
  { clan, primary_guild, badge_url }: Guilds,
  names: Readonly<Record<'clan' | 'primaryGuild' | 'clanAndPrimaryGuild', string>>,
): ShownGuild[] => {
  const guilds = [
    // The badge is that of the primary guild, whatever the clan is.
    { name: names.clan, guild: clan, badge: null },
    { name: names.primaryGuild, guild: primary_guild, badge: badge_url },
  ].filter((shown): shown is ShownGuild => Boolean(shown.guild?.identity_guild_id));
  const [first, second] = guilds;
  const same =
    first?.guild.identity_guild_id === second?.guild.identity_guild_id &&
    first?.guild.tag === second?.guild.tag;
  return first && second && same ? [{ ...second, name: names.clanAndPrimaryGuild }] : guilds;
};
