import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import type { Admission } from '#server/visitors/admission.ts';
import { createCounters, type Counter } from '#server/visitors/counters.ts';
import { visitorPrefixes } from '#server/visitors/ip-address.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createPictureAddresses, type PictureAddressDeps } from './picture-address.ts';
import { PICTURES_AT_ONCE, busy, createPictureClient, type Picture } from './picture-client.ts';

export type Pictures = ReturnType<typeof createPictures>;

type PicturesDeps = PictureAddressDeps & {
  readonly publicUrl: string;
  readonly admission: Pick<Admission, 'count'>;
  /** Addresses that were signed before last for hours. */
  readonly isOptedOut: (id: Snowflake) => boolean;
};

/** As long as answers: nothing about who was looked up is kept for longer. */
const KEPT_MS = 600_000;
const KEPT_BYTES = 32 * 2 ** 20;

/** Of all visitors together. */
const FROM_CDN: Counter = {
  key: 'all',
  allowances: [{ count: 3_000, periodMs: 60_000, burst: 600 }],
};

const FAILED_MS = 60_000;
const FAILURES_KEPT = 10_000;

const AT_ONCE_PER_VISITOR = 20;

type KeptPicture = { readonly type: string; readonly body: Buffer };

/** Whose picture it is: badges, decorations and the like are nobody's own. */
const OWNER = /^\/(?:avatars|banners)\/(?<id>\d+)\//;

export const createPictures = (deps: PicturesDeps) => {
  const { clock, admission, isOptedOut } = deps;
  const addresses = createPictureAddresses(deps);
  const client = createPictureClient(deps);
  const counters = createCounters(clock.monotonicMs, 1);
  const transfers = createTransfers();
  const kept = new LRUCache<string, KeptPicture>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });
  const failures = new LRUCache<string, AppError>({ max: FAILURES_KEPT });
  const flights = new Map<string, Promise<unknown>>();

  const keep = (path: string, picture: KeptPicture): void => {
    if (kept.size === 0) clock.after(KEPT_MS, () => kept.clear());
    kept.set(path, picture);
  };
  const remember = (path: string, failure: AppError): void => {
    if (failures.size === 0) clock.after(FAILED_MS, () => failures.clear());
    failures.set(path, failure);
  };
  const known = (path: string): Picture | undefined => {
    const failure = failures.get(path);
    if (failure !== undefined) throw failure;
    const picture = kept.get(path);
    return picture && { ...picture, length: picture.body.length };
  };

  const ask = async (path: string, visitor: string): Promise<Picture> => {
    const { cut, end } = transfers.begin(visitor);
    try {
      const { type, length, body } = await client.get(path, cut);
      if (body instanceof Readable) body.once('close', end);
      else {
        keep(path, { type, body });
        end();
      }
      return { type, length, body };
    } catch (error) {
      end();
      if (error instanceof AppError && error.code !== 'pictures-busy') remember(path, error);
      throw error;
    }
  };

  const fetch = async (path: string, visitor: string): Promise<Picture> => {
    admission.count('picture-fetch', visitor);
    const { waitMs } = counters.take([FROM_CDN]);
    if (waitMs > 0) throw busy(waitMs);
    return ask(path, visitor);
  };

  /** One fetch for all who ask for the same; a large picture is not shared, so they ask for it themselves. */
  const join = async (path: string, visitor: string): Promise<Picture> => {
    const flight = flights.get(path);
    if (flight !== undefined) {
      await flight;
      const picture = known(path);
      if (picture !== undefined) return picture;
    }
    const own = fetch(path, visitor);
    const ended = own.catch(() => {}).finally(() => flights.get(path) === ended && flights.delete(path));
    flights.set(path, ended);
    return own;
  };

  return {
    addressesOf: addresses.of,
    get: async (address: string, visitor: string): Promise<Picture> => {
      const path = addresses.read(address);
      admission.count('picture', visitor);
      const owner = OWNER.exec(path)?.groups?.['id'];
      if (owner !== undefined && isOptedOut(owner as Snowflake)) throw new AppError('not-found');
      return known(path) ?? join(path, visitor);
    },
    close: client.close,
  };
};

type Transfer = { readonly narrow: string; readonly wide: string; readonly cut: AbortController };

/** When all places are taken, the network that has most of them gives up its oldest for one that has fewer. */
export const createTransfers = () => {
  /** In the order of their beginning. */
  const running = new Set<Transfer>();

  const makeRoom = (byNetwork: ReadonlyMap<string, readonly Transfer[]>, own: number): void => {
    const most = [...byNetwork.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    const [oldest] = most;
    if (oldest === undefined || most.length <= own + 1) throw busy();
    running.delete(oldest);
    oldest.cut.abort();
  };

  return {
    begin: (visitor: string): { readonly end: () => void; readonly cut: AbortSignal } => {
      const { narrow, wide } = visitorPrefixes(visitor);
      const byNetwork = Map.groupBy(running, (transfer) => transfer.wide);
      const own = byNetwork.get(wide) ?? [];
      if (own.filter((transfer) => transfer.narrow === narrow).length >= AT_ONCE_PER_VISITOR) throw busy();
      if (running.size >= PICTURES_AT_ONCE) makeRoom(byNetwork, own.length);
      const transfer: Transfer = { narrow, wide, cut: new AbortController() };
      running.add(transfer);
      return { cut: transfer.cut.signal, end: () => void running.delete(transfer) };
    },
  };
};
