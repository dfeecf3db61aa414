import { useDeferredValue, useState, type CSSProperties, type ReactNode } from 'react';
import { ACCENT_COLOR } from '#shared/colors.ts';
import { useEnvironment, useLocalPath, useTexts } from '../../environment.ts';
import type { Profile, ProfileAnswer } from '../../read-profile.ts';
import buttonStyles from '../../ui/button.module.css';
import { Button, ButtonLink, Link } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { AssetTiles } from './asset-tiles.tsx';
import styles from './card-layout.module.css';
import { ExportMenu } from './export/export-menu.tsx';
import { guildsOf } from './guild-tags.ts';
import { moves, stillOf, tintOf, withOwnPictures, wornOf } from './picture-forms.ts';
import { Avatar, Banner } from './pictures.tsx';
import { inkOf } from './names/styled-name.tsx';
import { ProfileDetails } from './profile-details.tsx';
import { ProfileFacts, useCreated } from './profile-facts.tsx';
import { profileTitle, shortTitle } from './profile-name.ts';
import { Badges, ProfileNames } from './profile-names.tsx';
import { RestOfSkeleton } from './profile-skeleton.tsx';

type CardColors = CSSProperties & { '--accent': string; '--tint': string; '--voice'?: string };

const colorsOf = (profile: Profile): CardColors => ({
  '--accent': profile.accent_color ?? ACCENT_COLOR,
  '--tint': tintOf(profile),
  ...(profile.speaking_colors[0] && { '--voice': inkOf(profile.speaking_colors[0]) }),
});

const hasMotion = ({ avatar_url, banner_url, avatar_decoration_url, nameplate }: Profile): boolean =>
  nameplate !== null || [avatar_url, banner_url, avatar_decoration_url].some((url) => url && moves(url));

export const ProfileCard = ({ profile }: { readonly profile: ProfileAnswer }): ReactNode => {
  const { relayPictures } = useEnvironment().site;
  const texts = useTexts('card');
  const worn = wornOf(profile, Date.now());
  const shown = relayPictures ? withOwnPictures(worn) : worn;
  const title = profileTitle(profile, texts.invisibleName);
  const name = shortTitle(title);
  const [moving, setMoving] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);
  const show = (url: string): string => (moving ? url : stillOf(url));
  const created = useCreated(profile.id, profile.created_at);
  const link = new URL(useLocalPath()(`/?id=${profile.id}`), location.href).href;
  // Below the first screen of a phone, which is painted first.
  const rest = useDeferredValue(true, false);
  return (
    <article className={`surface ${styles.card}`} style={colorsOf(profile)}>
      <Banner profile={shown} name={name} show={show} />
      {hasMotion(worn) && (
        <button type="button" className={`target ${styles.motion}`} onClick={() => setMoving(!moving)}>
          <Icon name={moving ? 'pause' : 'play'} />
          {moving ? texts.pause : texts.play}
        </button>
      )}
      <div className={styles.head}>
        <Avatar profile={shown} name={name} show={show} />
        <ProfileNames profile={shown} title={title} moving={moving} />
        <Badges flags={profile.flags} />
      </div>
      <ProfileFacts id={profile.id} created={created} guilds={guildsOf(shown, texts)} />
      <CardActions profile={profile} link={link} />
      {rest ? (
        <>
          <AssetTiles profile={worn} shown={shown} show={show} />
          <ProfileDetails profile={profile} />
        </>
      ) : (
        <RestOfSkeleton />
      )}
    </article>
  );
};

/** Where people have no keyboard, they pass a link on rather than copy it. */
const sharesLinks = (): boolean => 'share' in navigator && matchMedia('(pointer: coarse)').matches;

type LinkedProfileProps = { readonly profile: ProfileAnswer; readonly link: string };

const CardActions = ({ profile, link }: LinkedProfileProps): ReactNode => {
  const hasAddresses = useEnvironment().site.platformName === 'Discord';
  const texts = useTexts('card');
  return (
    <>
      <div className={`row ${styles.actions}`}>
        {sharesLinks() ? (
          <ShareButton link={link} />
        ) : (
          <CopyButton text={link} label={texts.copyLink} look="plain" />
        )}
        <ExportMenu profile={profile} link={link} />
        {hasAddresses && (
          <Link
            className={`${buttonStyles.plain} ${styles.open}`}
            href={`https://discord.com/users/${profile.id}`}
            title={texts.openInDiscord}
            aria-label={texts.openInDiscord}
          >
            <Icon name="external" />
          </Link>
        )}
      </div>
      {hasAddresses && profile.bot && (
        <div className={`small ${styles.add}`}>
          <ButtonLink href={`https://discord.com/oauth2/authorize?client_id=${profile.id}`}>
            {texts.addApp}
          </ButtonLink>
          <p>{texts.addAppNote}</p>
        </div>
      )}
    </>
  );
};

const ShareButton = ({ link }: { readonly link: string }): ReactNode => (
  <Button
    // A visitor who changes their mind is no error.
    onClick={() => void navigator.share({ url: link }).catch(() => undefined)}
  >
    <Icon name="external" />
    {useTexts('export').share}
  </Button>
);
