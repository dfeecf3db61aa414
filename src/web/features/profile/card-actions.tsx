import { type ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { useEnvironment } from '../../environment.ts';
import { profileCard } from '../../texts/profile/card.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './card-layout.module.css';
import { ExportMenu } from './export/export-menu.tsx';

/** Only the platform that these addresses are of. */
const OPENS_PROFILES = 'Discord';

export const CardActions = ({ profile }: { readonly profile: Profile }): ReactNode => {
  const { platformName } = useEnvironment().site;
  const link = new URL(`/?id=${profile.id}`, location.href).href;
  return (
    <div className={styles.actions}>
      <CopyButton text={link} label={profileCard.copyLink} labelled look="plain" />
      <ExportMenu profile={profile} link={link} />
      {platformName === OPENS_PROFILES && (
        <ButtonLink href={`https://discord.com/users/${profile.id}`}>{profileCard.openInDiscord}</ButtonLink>
      )}
    </div>
  );
};
