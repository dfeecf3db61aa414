import { ACCENT_COLOR } from '#shared/colors.ts';
import type { Profile, ProfileAnswer } from '../../read-profile.ts';

const UPLOADED = /^(?<stem>.*\/(?<animated>a_)?[0-9a-f]{32})\.\w+(?:\?.*)?$/;
export const SIZES = [128, 256, 512, 1024, 2048, 4096];

const STILL = [
  { name: 'PNG', extension: 'png', query: '' },
  { name: 'WebP', extension: 'webp', query: '' },
];
export const ANIMATED_WEBP = 'animated WebP';

const MOVING = [
  { name: ANIMATED_WEBP, extension: 'webp', query: '&animated=true' },
  { name: 'GIF', extension: 'gif', query: '' },
];

export type PictureForm = {
  readonly name: string;
  readonly extension: string;
  readonly urlAt: (pixels: number) => string;
};

/** On the platform's CDN or ours. The platform's own pictures have only one form. */
export const formsOf = (imageUrl: string): readonly PictureForm[] => {
  const { stem, animated } = UPLOADED.exec(imageUrl)?.groups ?? {};
  if (stem === undefined || imageUrl.includes('/avatar-decoration-presets/')) return [];
  return [...(animated === undefined ? [] : MOVING), ...STILL].map(({ name, extension, query }) => ({
    name,
    extension,
    urlAt: (pixels) => `${stem}.${extension}?size=${pixels}${query}`,
  }));
};

export const isOver = (iso: string | null, nowMs: number): boolean =>
  iso !== null && Date.parse(iso) <= nowMs;

/** What was for a time is not worn after it; whether the platform sends it then is not known. */
export const wornOf = (profile: ProfileAnswer, nowMs: number): ProfileAnswer => ({
  ...profile,
  ...(isOver(profile.avatar_decoration_expires_at, nowMs) && { avatar_decoration_url: null }),
  ...(profile.nameplate && isOver(profile.nameplate.expires_at, nowMs) && { nameplate: null }),
});

/** Our own addresses last for some hours. */
export const withOwnPictures = (profile: ProfileAnswer): ProfileAnswer => {
  const { nameplate, avatar_decoration_url: decoration, ...others } = profile.pictures;
  return {
    ...profile,
    ...others,
    avatar_decoration_url: profile.avatar_decoration_url && decoration,
    nameplate: profile.nameplate && nameplate && { ...profile.nameplate, ...nameplate },
  };
};

export const moves = (imageUrl: string): boolean => /[?&](?:animated|passthrough)=true/.test(imageUrl);

/** A decoration moves unless it is told not to. */
export const stillOf = (imageUrl: string): string =>
  imageUrl.replace('&animated=true', '').replace('passthrough=true', 'passthrough=false');

/** Of the strip where there is no banner. */
export const tintOf = ({ banner_color, accent_color }: Profile): string =>
  banner_color ?? accent_color ?? ACCENT_COLOR;
