import type { ReactNode } from 'react';
import type { GuildIdentity, Profile } from '#shared/contract/profile.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './guild-cards.module.css';
import { shownName } from './profile-name.ts';

type ShownGuild = { readonly name: string; readonly guild: GuildIdentity };

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

export const GuildCards = ({ profile }: { readonly profile: Profile }): ReactNode => {
  const guilds = guildsShown(profile);
  return (
    guilds.length > 0 && (
      <ul className={styles.guilds}>
        {guilds.map(({ name, guild }) => {
          const tag = shownName(guild.tag);
          // The badge is that of the primary guild, whatever the clan is.
          const badge = name === 'Clan' ? null : profile.badge_url;
          return (
            <li key={name}>
              <h3>{name}</h3>
              {(tag !== undefined || badge !== null) && (
                <p className={styles.tag}>
                  {badge !== null && <img src={badge} alt="Server badge" width="20" height="20" />}
                  <bdi>{tag}</bdi>
                </p>
              )}
              <p className={styles.server}>
                Server {guild.identity_guild_id}
                <CopyButton text={guild.identity_guild_id} label="Copy server ID" />
              </p>
            </li>
          );
        })}
      </ul>
    )
  );
};
