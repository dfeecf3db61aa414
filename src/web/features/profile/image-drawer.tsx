import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import styles from './image-drawer.module.css';
import { imageFormats } from './image-formats.ts';

type ImageDrawerProps = { readonly profile: Profile };

export const ImageDrawer = ({ profile }: ImageDrawerProps): ReactNode => (
  <>
    <p className={styles.hint}>
      Each opens in a new tab, from where it can be saved. A picture that was uploaded smaller is not
      enlarged.
    </p>
    <ImageFormats name="Avatar" url={profile.avatar_url} />
    {profile.banner_url !== null && <ImageFormats name="Banner" url={profile.banner_url} />}
  </>
);

type ImageFormatsProps = { readonly name: string; readonly url: string };

const ImageFormats = ({ name, url }: ImageFormatsProps): ReactNode => {
  const formats = imageFormats(url);
  return (
    <section className={styles.image}>
      <h3>{name}</h3>
      {formats.length === 0 && (
        <p className={styles.hint}>
          The platform’s default picture comes in one form:{' '}
          <a href={url} target="_blank" rel="noreferrer">
            open it
          </a>
          .
        </p>
      )}
      {formats.map(({ name: format, sizes }) => (
        <div key={format} className={styles.format}>
          <span>{format}</span>
          <ul>
            {sizes.map(({ pixels, url: sizeUrl }) => (
              <li key={pixels}>
                <a
                  href={sizeUrl}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={`Open ${name.toLowerCase()} as ${format}, ${pixels} pixels`}
                >
                  {pixels}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
};
