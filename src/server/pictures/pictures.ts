import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import type { Admission } from '#server/visitors/admission.ts';
import type { VisitorLimits } from '#server/visitors/limits.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createPictureAddresses, type PictureAddressDeps } from './picture-address.ts';
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
