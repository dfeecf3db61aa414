import { useState, type CSSProperties, type ReactNode } from 'react';
import type { ProfileFlag } from '#shared/contract/profile.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './card-layout.module.css';
import { GuildCards } from './guild-cards.tsx';
import { ImageDrawer } from './image-drawer.tsx';
import { ProfileFacts, type FoundProfile } from './profile-facts.tsx';
import { INVISIBLE_NAME, profileTitle, shortTitle, shownName } from './profile-name.ts';
import { RawView } from './raw-view.tsx';

const DEFAULT_ACCENT = '#7289da';

export const ProfileCard = ({ id, profile }: FoundProfile): ReactNode => {
  const title = profileTitle(profile);
  const name = shortTitle(title);
  const accent: CSSProperties & { '--accent': string } = {
    '--accent': profile.accent_color ?? DEFAULT_ACCENT,
  };
  return (
    <article className={styles.card} style={accent}>
      <div className={styles.banner}>
        {profile.banner_url !== null && <ImageLink href={profile.banner_url} name={`Banner of ${name}`} />}
      </div>
      <div className={styles.top}>
        <div className={styles.avatar}>
          <ImageLink href={profile.avatar_url} name={`Avatar of ${name}`} />
        </div>
        <CopyButton text={new URL(`/?id=${id}`, location.href).href} label="Copy link" labelled />
      </div>
      <div className={styles.names}>
        <h2 className={styles.title}>
          <bdi>{title}</bdi>
        </h2>
        <p className={styles.username}>
          <bdi>@{shownName(profile.username) ?? INVISIBLE_NAME}</bdi>
          {profile.discriminator !== '0' && (
            <>
              {' '}
              <bdi>#{shownName(profile.discriminator)}</bdi>
            </>
          )}
        </p>
      </div>
      <FlagChips flags={profile.flags} />
      <ProfileFacts id={id} profile={profile} />
      <GuildCards profile={profile} />
      <div className={styles.drawers}>
        <Disclosure summary="Image sizes and formats">
          <ImageDrawer profile={profile} />
        </Disclosure>
        <Disclosure summary="Raw JSON">
          <RawView profile={profile} />
        </Disclosure>
      </div>
    </article>
  );
};

const ImageLink = ({ href, name }: { readonly href: string; readonly name: string }): ReactNode => (
  <a href={href} target="_blank" rel="noreferrer" title="Opens in a new tab">
    <img src={href} alt={name} />
  </a>
);

const FlagChips = ({ flags }: { readonly flags: readonly ProfileFlag[] }): ReactNode =>
  flags.length > 0 && (
    <ul className={styles.flags} aria-label="Flags">
      {flags.map(({ id, name, image }) => (
        <li key={id}>
          {image !== null && <img src={image} alt="" width="22" height="22" />}
          {name}
        </li>
      ))}
    </ul>
  );

type DisclosureProps = { readonly summary: string; readonly children: ReactNode };

/** Renders what it hides only when it is opened. */
const Disclosure = ({ summary, children }: DisclosureProps): ReactNode => {
  const [opened, setOpened] = useState(false);
  return (
    <details className={styles.disclosure} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {opened && children}
    </details>
  );
};
