import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import type { Clock } from '#server/system.ts';
import type { Profile, ProfilePictures } from '#shared/contract/profile.ts';
import { PICTURE_PATH, SAMPLE_PICTURE_PATH } from '#shared/paths.ts';
import type { SampleId } from '#shared/site.ts';

export type PictureAddressDeps = {
  readonly clock: Clock;
  readonly cdnUrl: string;
  /** The same on all nodes. */
  readonly pictureSecret: string;
  /** Their pictures are in the pages, which last longer than a signature. */
  readonly sampleIds: readonly SampleId[];
};

/** Addresses change this often, so that browsers can cache pictures. Each is valid for at least as long. */
const PERIOD_MS = 6 * 3_600_000;
const SIGNATURE_LENGTH = 22;

const SIGNED = /^\/picture\/(?<expires>\d{1,12})-(?<signature>[\w-]{22})(?<path>\/.+)$/;
/** What is signed, and the format and size that a visitor may choose. The signed part has no dot, so it cannot leave its folder. */
const PATH =
  /^(?<stem>[\w/%-]+)\.(?:png|webp|gif)(?:\?size=(?:64|128|256|512|1024|2048|4096)(?:&animated=true|&passthrough=(?:true|false))?)?$/;

const stemOf = (path: string): string | undefined => PATH.exec(path)?.groups?.['stem'];

export const createPictureAddresses = (deps: PictureAddressDeps) => {
  const { clock, cdnUrl, pictureSecret: secret, sampleIds } = deps;
  const samples = new Set(sampleIds.map(({ avatarUrl }) => avatarUrl));
  const signatureOf = (expires: string, stem: string): string =>
    createHmac('sha256', secret).update(`${expires} ${stem}`).digest('base64url').slice(0, SIGNATURE_LENGTH);
  const expiresMs = (): number => (Math.floor(clock.wallMs() / PERIOD_MS) + 2) * PERIOD_MS;
  const sign = (cdnAddress: string): string => {
    const path = cdnAddress.slice(cdnUrl.length);
    const expires = String(expiresMs() / 1_000);
    return `${PICTURE_PATH}${expires}-${signatureOf(expires, stemOf(path) ?? '')}${path}`;
  };

  return {
    of: ({ nameplate, ...profile }: Profile): ProfilePictures => ({
      expires_at: new Date(expiresMs()).toISOString(),
      avatar_url: sign(profile.avatar_url),
      banner_url: profile.banner_url && sign(profile.banner_url),
      badge_url: profile.badge_url && sign(profile.badge_url),
      avatar_decoration_url: profile.avatar_decoration_url && sign(profile.avatar_decoration_url),
      nameplate: nameplate && {
        static_url: sign(nameplate.static_url),
        animated_url: sign(nameplate.animated_url),
      },
    }),
    read: (address: string): string => {
      if (samples.has(address)) return address.slice(SAMPLE_PICTURE_PATH.length);
      const { expires = '', signature = '', path = '' } = SIGNED.exec(address)?.groups ?? {};
      const stem = stemOf(path);
      if (stem === undefined) throw new AppError('not-found');
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(expires, stem))))
        throw new AppError('picture-refused');
      if (Number(expires) * 1_000 <= clock.wallMs()) throw new AppError('picture-expired');
      return path;
    },
  };
};
