export type ImageFormat = {
  readonly name: string;
  readonly sizes: readonly { readonly pixels: number; readonly url: string }[];
};

const UPLOADED = /^(?<stem>.*\/(?<animated>a_)?[0-9a-f]{32})\.\w+$/;
const SIZES = [128, 256, 512, 1024, 2048, 4096];

const STILL = [
  { name: 'PNG', extension: 'png' },
  { name: 'WebP', extension: 'webp' },
];
const MOVING = [
  { name: 'Animated WebP', extension: 'webp', moves: true },
  { name: 'GIF', extension: 'gif' },
];

/** The forms in which the platform's CDN has an uploaded picture. Its own default pictures have only the one. */
export const imageFormats = (imageUrl: string): readonly ImageFormat[] => {
  const { origin, pathname } = new URL(imageUrl);
  const { stem, animated } = UPLOADED.exec(pathname)?.groups ?? {};
  if (stem === undefined) return [];
  return [...(animated === undefined ? [] : MOVING), ...STILL].map(({ name, extension, ...form }) => ({
    name,
    sizes: SIZES.map((pixels) => ({
      pixels,
      url: `${origin}${stem}.${extension}?size=${pixels}${'moves' in form ? '&animated=true' : ''}`,
    })),
  }));
};
