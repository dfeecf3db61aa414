import { useState, type CSSProperties, type ReactNode } from 'react';
import { ACCENT_COLOR } from '#shared/colors.ts';
import type { Profile, ProfileAnswer } from '../../read-profile.ts';
import { useEnvironment, useLocalPath, useTexts } from '../../environment.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { AssetTiles } from './asset-tiles.tsx';
import styles from './card-layout.module.css';
import { ExportMenu } from './export/export-menu.tsx';
import { colorOf } from './id-flake.ts';
import { moves, stillOf, withOwnPictures } from './picture-forms.ts';
import { Avatar, Banner } from './pictures.tsx';
import { ProfileColors } from './profile-colors.tsx';
import { ProfileDetails } from './profile-details.tsx';
import { ProfileFacts } from './profile-facts.tsx';
import { profileTitle, shortTitle } from './profile-name.ts';
import { Badges, ProfileNames } from './profile-names.tsx';

type CardColors = CSSProperties & { '--accent': string; '--tint': string };

const hasMotion = ({ avatar_url, banner_url, avatar_decoration_url, nameplate }: Profile): boolean =>
  nameplate !== null || [avatar_url, banner_url, avatar_decoration_url].some((url) => url && moves(url));

export const ProfileCard = ({ profile }: { readonly profile: ProfileAnswer }): ReactNode => {
  const { relayPictures } = useEnvironment().site;
  const texts = useTexts('card');
  const shown = relayPictures ? withOwnPictures(profile) : profile;
  const title = profileTitle(profile, texts.invisibleName);
  const name = shortTitle(title);
  const [moving, setMoving] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);
  const show = (url: string): string => (moving ? url : stillOf(url));
  const colors: CardColors = {
    '--accent': profile.accent_color ?? ACCENT_COLOR,
    '--tint': profile.accent_color ?? colorOf(profile.id),
  };
  return (
    <article className={styles.card} style={colors}>
      <Banner profile={shown} name={name} show={show} />
      {hasMotion(profile) && (
        <button type="button" className={styles.motion} onClick={() => setMoving(!moving)}>
          <Icon name={moving ? 'pause' : 'play'} />
          {moving ? texts.pause : texts.play}
        </button>
      )}
      <ProfileColors {...profile} />
      <div className={styles.head}>
        <Avatar profile={shown} name={name} show={show} />
        <ProfileNames profile={shown} title={title} moving={moving} />
        <Badges flags={profile.flags} />
      </div>
      <ProfileFacts {...shown} />
      <CardActions profile={profile} />
      <AssetTiles profile={profile} shown={shown} show={show} />
      <ProfileDetails profile={profile} />
    </article>
  );
};

/** The only platform with addresses of this form. */
const OPENS_PROFILES = 'Discord';

const CardActions = ({ profile }: { readonly profile: ProfileAnswer }): ReactNode => {
  const { platformName } = useEnvironment().site;
  const texts = useTexts('card');
  const link = new URL(useLocalPath()(`/?id=${profile.id}`), location.href).href;
  return (
    <div className={styles.actions}>
      <CopyButton text={link} label={texts.copyLink} labelled look="plain" />
      <ExportMenu profile={profile} link={link} />
      {platformName === OPENS_PROFILES && (
        <ButtonLink href={`https://discord.com/users/${profile.id}`}>{texts.openInDiscord}</ButtonLink>
      )}
    </div>
  );
};
