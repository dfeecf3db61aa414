import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './guild-cards.module.css';
import { guildsShown } from './guilds-shown.ts';
import { shownName } from './shown-name.ts';

type GuildCardsProps = { readonly profile: Profile };

export const GuildCards = ({ profile }: GuildCardsProps): ReactNode => {
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
