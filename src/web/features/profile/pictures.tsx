import { useState, type ReactNode } from 'react';
import type { Profile } from '../../read-profile.ts';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import layout from './card-layout.module.css';
import { flakePath } from './id-flake.ts';
import { initialsOf } from './profile-name.ts';
import styles from './pictures.module.css';

type PictureProps = {
  readonly src: string;
  readonly alt: string;
  readonly className?: string | undefined;
  /** Shown if the picture does not load: some people block everything from other sites. */
  readonly children?: ReactNode;
};

export const Picture = ({ src, alt, className, children }: PictureProps): ReactNode => {
  const [broken, setBroken] = useState<string>();
  if (broken === src) return children;
  return <img key={src} src={src} alt={alt} className={className} onError={() => setBroken(src)} />;
};

type LinkedPictureProps = PictureProps & { readonly href: string };

const LinkedPicture = ({ href, alt, ...picture }: LinkedPictureProps): ReactNode => (
  <a href={href} target="_blank" rel="noreferrer" title={useTexts('card').opensInNewTab} aria-label={alt}>
    <Picture {...picture} alt={alt} />
  </a>
);

type ProfilePictureProps = {
  readonly profile: Profile;
  readonly name: string;
  readonly show: (url: string) => string;
};

export const Banner = ({ profile, name, show }: ProfilePictureProps): ReactNode => {
  const { id, banner_url: url } = profile;
  const { bannerOf } = useTexts('card');
  return (
    <div className={layout.banner}>
      <svg className={styles.flake} viewBox="-50 -50 100 100" aria-hidden="true">
        <path d={flakePath(id)} />
      </svg>
      {url !== null && <LinkedPicture href={url} src={show(url)} alt={fill(bannerOf, { name })} />}
    </div>
  );
};

export const Avatar = ({ profile, name, show }: ProfilePictureProps): ReactNode => {
  const { avatar_url: url, avatar_decoration_url: decoration } = profile;
  const { avatarOf } = useTexts('card');
  // Drawn by the style sheet: as text they would be the link's name.
  const initials = <span className={styles.initials} data-initials={initialsOf(name)} />;
  return (
    <div className={layout.avatar}>
      {url === null ? (
        initials
      ) : (
        <LinkedPicture href={url} src={show(url)} alt={fill(avatarOf, { name })}>
          {initials}
        </LinkedPicture>
      )}
      {decoration !== null && <Picture src={show(decoration)} alt="" className={styles.decoration} />}
    </div>
  );
};
