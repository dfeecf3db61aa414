import { createHmac, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import type { Admission } from '#server/visitors/admission.ts';
import type { VisitorLimits } from '#server/visitors/limits.ts';
import type { Clock } from '#server/system.ts';
import type { Profile, ProfilePictures } from '#shared/contract/profile.ts';
import { PICTURE_PATH, SAMPLE_PICTURE_PATH } from '#shared/paths.ts';
import type { SampleId } from '#shared/site.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createPictureClient, type Picture, type PictureClientDeps } from './picture-client.ts';

export type Pictures = ReturnType<typeof createPictures>;

type PicturesDeps = PictureAddressDeps &
  PictureClientDeps & {
    readonly admission: Pick<Admission, 'count'>;
    readonly visitors: Pick<VisitorLimits, 'pictureBytes'>;
    /** Addresses that were signed before last for hours. */
    readonly isOptedOut: (id: Snowflake) => boolean;
  };

/** As long as answers: nothing about who was looked up is kept for longer. */
const KEPT_MS = 600_000;
const KEPT_BYTES = 32 * 2 ** 20;
const FAILED_MS = 60_000;
/** With its path and its place. */
const FAILURE_BYTES = 1_000;

/** Whose picture it is: badges, decorations and the like are nobody's own. */
const OWNER = /^\/(?:avatars|banners)\/(?<id>\d+)\//;

type Kept = { readonly type: string; readonly body: Buffer } | AppError;

export const createPictures = (deps: PicturesDeps) => {
  const { clock, admission, visitors, isOptedOut } = deps;
  const addresses = createPictureAddresses(deps);
  const client = createPictureClient(deps);
  const kept = new LRUCache<string, Kept, () => Promise<Picture>>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (one) => (one instanceof AppError ? FAILURE_BYTES : one.body.length),
    ignoreFetchAbort: true,
    fetchMethod: async (path, _before, { context: fetch }) => {
      const found = await fetch().then(wholeOf, failureOf);
      const forMs = found instanceof AppError ? FAILED_MS : KEPT_MS;
      if (found !== undefined) clock.after(forMs, () => kept.delete(path));
      return found;
    },
  });

  return {
    addressesOf: addresses.of,
    get: async (address: string, visitor: string): Promise<Picture> => {
      const path = addresses.read(address);
      admission.count('picture', visitor);
      const bytes = visitors.pictureBytes(visitor);
      const { waitMs } = bytes.assess();
      if (waitMs > 0) throw new AppError('pictures-busy', { retryAfterMs: waitMs });
      const owner = OWNER.exec(path)?.groups?.['id'];
      if (owner !== undefined && isOptedOut(owner as Snowflake)) throw new AppError('not-found');
      let own: Promise<Picture> | undefined;
      const fetch = (): Promise<Picture> => client.get(path, visitor, bytes.charge);
      // One fetch for all who ask for the same; a large picture is not shared, so they ask for it themselves.
      // It rejects only for what was pushed out meanwhile, which is there all the same.
      const found = await kept.fetch(path, { context: () => (own = fetch()) }).catch(() => undefined);
      if (found instanceof AppError) throw found;
      if (found === undefined) return own ?? fetch();
      bytes.charge(found.body.length);
      return { ...found, length: found.body.length };
    },
    close: client.close,
  };
};

const wholeOf = ({ type, body }: Picture): Kept | undefined =>
  body instanceof Readable ? undefined : { type, body };

/** Whoever asked hears of any other error; it says nothing about the picture. */
const failureOf = (error: unknown): AppError | undefined =>
  error instanceof AppError && error.code !== 'pictures-busy' ? error : undefined;

type PictureAddressDeps = {
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

const createPictureAddresses = (deps: PictureAddressDeps) => {
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
