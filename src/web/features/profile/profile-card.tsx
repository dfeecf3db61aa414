import type { ReactNode } from 'react';
import type { GuildIdentity, Profile, ProfileFlag } from '#shared/contract/profile.ts';
import { Time } from '../../ui/time.tsx';
import styles from './profile-card.module.css';
import { profileTitle } from './profile-title.ts';

const DEFAULT_ACCENT = '#7289da';

type ProfileCardProps = { readonly profile: Profile };

export const ProfileCard = ({ profile }: ProfileCardProps): ReactNode => {
  const title = profileTitle(profile);
  return (
    <article className={styles.card}>
      {profile.banner_url !== null && (
        <ImageLink href={profile.banner_url} className={styles.banner} alt={`Banner of ${title}`} />
      )}
      <div className={styles.identity}>
        <ImageLink
          href={profile.avatar_url}
          className={styles.avatar}
          alt={`Avatar of ${title}`}
          borderColor={profile.accent_color ?? DEFAULT_ACCENT}
        />
        <div className={styles.names}>
          <h2>
            <bdi>{title}</bdi>
          </h2>
          <p className={styles.username}>
            <bdi>@{profile.username}</bdi>
            {profile.discriminator !== '0' && <span> #{profile.discriminator}</span>}
          </p>
        </div>
      </div>
      <ProfileDetails profile={profile} />
    </article>
  );
};

type ImageLinkProps = {
  readonly href: string;
  readonly alt: string;
  readonly className: string | undefined;
  readonly borderColor?: string;
};

const ImageLink = ({ href, alt, className, borderColor }: ImageLinkProps): ReactNode => (
  <a href={href} className={className} target="_blank" rel="noreferrer" style={{ borderColor }}>
    <img src={href} alt={alt} />
  </a>
);

const ProfileDetails = ({ profile }: ProfileCardProps): ReactNode => (
  <dl className={styles.details}>
    <Detail name="Created">
      <Time iso={profile.created_at} />
    </Detail>
    {profile.flags.length > 0 && (
      <Detail name="Flags">
        <ul className={styles.flags}>
          {profile.flags.map((flag) => (
            <FlagChip key={flag.id} flag={flag} />
          ))}
        </ul>
      </Detail>
    )}
    {profile.accent_color !== null && (
      <Detail name="Accent color">
        <Color value={profile.accent_color} />
      </Detail>
    )}
    {profile.banner_color !== null && (
      <Detail name="Banner color">
        <Color value={profile.banner_color} />
      </Detail>
    )}
    <Guild name="Clan" guild={profile.clan} />
    <Guild name="Primary Guild" guild={profile.primary_guild} />
  </dl>
);

type DetailProps = { readonly name: string; readonly children: ReactNode };

const Detail = ({ name, children }: DetailProps): ReactNode => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const FlagChip = ({ flag }: { readonly flag: ProfileFlag }): ReactNode => (
  <li className={styles.flag}>
    {flag.image !== null && <img src={flag.image} alt="" width="24" height="24" />}
    {flag.name}
  </li>
);

const Color = ({ value }: { readonly value: string }): ReactNode => (
  <span className={styles.color}>
    <span className={styles.swatch} style={{ backgroundColor: value }} />
    {value}
  </span>
);

type GuildProps = { readonly name: string; readonly guild: GuildIdentity | null };

const Guild = ({ name, guild }: GuildProps): ReactNode =>
  guild?.identity_guild_id && (
    <Detail name={name}>
      {guild.tag !== null && <bdi>{guild.tag}</bdi>} (server {guild.identity_guild_id})
    </Detail>
  );
