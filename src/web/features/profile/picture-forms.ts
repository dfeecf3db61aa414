import { profilePictures } from '../../texts/profile/pictures.ts';

const UPLOADED = /^(?<stem>.*\/(?<animated>a_)?[0-9a-f]{32})\.\w+$/;
const SIZES = [128, 256, 512, 1024, 2048, 4096];

const STILL = [
  { name: 'PNG', extension: 'png', query: '' },
  { name: 'WebP', extension: 'webp', query: '' },
];
const MOVING = [
  { name: profilePictures.animatedWebp, extension: 'webp', query: '&animated=true' },
  { name: 'GIF', extension: 'gif', query: '' },
];

export type PictureForm = {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly urlAt: (pixels: number) => string;
};

/** The forms in which the platform's CDN has an uploaded picture. Its own pictures have only one. */
export const formsOf = (imageUrl: string): readonly PictureForm[] => {
  const { origin, pathname } = new URL(imageUrl);
  const { stem, animated } = UPLOADED.exec(pathname)?.groups ?? {};
  if (stem === undefined || pathname.startsWith('/avatar-decoration-presets/')) return [];
  return [...(animated === undefined ? [] : MOVING), ...STILL].map(({ name, extension, query }) => ({
    name,
    sizes: SIZES,
    urlAt: (pixels) => `${origin}${stem}.${extension}?size=${pixels}${query}`,
  }));
};

export const moves = (imageUrl: string): boolean => /[?&](?:animated|passthrough)=true/.test(imageUrl);

/** The same picture, standing still: a decoration moves unless it is told not to. */
export const stillOf = (imageUrl: string): string =>
  imageUrl.replace('&animated=true', '').replace('passthrough=true', 'passthrough=false');
