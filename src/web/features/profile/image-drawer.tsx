import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import styles from './image-drawer.module.css';

const UPLOADED = /^(?<stem>.*\/(?<animated>a_)?[0-9a-f]{32})\.\w+$/;
const SIZES = [128, 256, 512, 1024, 2048, 4096];

const STILL = [
  { name: 'PNG', extension: 'png', query: '' },
  { name: 'WebP', extension: 'webp', query: '' },
];
const MOVING = [
  { name: 'Animated WebP', extension: 'webp', query: '&animated=true' },
  { name: 'GIF', extension: 'gif', query: '' },
];

/** The forms in which the platform's CDN has an uploaded picture. Its own default pictures have only the one. */
export const imageFormats = (imageUrl: string) => {
  const { origin, pathname } = new URL(imageUrl);
  const { stem, animated } = UPLOADED.exec(pathname)?.groups ?? {};
  if (stem === undefined) return [];
  return [...(animated === undefined ? [] : MOVING), ...STILL].map(({ name, extension, query }) => ({
    name,
    sizes: SIZES.map((pixels) => ({
      pixels,
      url: `${origin}${stem}.${extension}?size=${pixels}${query}`,
    })),
  }));
};

export const ImageDrawer = ({ profile }: { readonly profile: Profile }): ReactNode => (
  <>
    <p className={styles.hint}>
      Each opens in a new tab, from where it can be saved. A picture that was uploaded smaller is not
      enlarged.
    </p>
    <ImageFormats name="Avatar" url={profile.avatar_url} />
    {profile.banner_url !== null && <ImageFormats name="Banner" url={profile.banner_url} />}
  </>
);

const ImageFormats = ({ name, url }: { readonly name: string; readonly url: string }): ReactNode => {
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
