import { Readable } from 'node:stream';
import { Pool } from 'undici';
import manifest from '#package.json' with { type: 'json' };
import { AppError } from '#server/app-error.ts';
import type { PlatformUrls } from '#server/config.ts';
import { CONNECT_MS, HEADERS_MS } from '#server/deadlines.ts';
import type { Clock } from '#server/system.ts';
import { pictureType, TYPE_BYTES } from './picture-type.ts';

export type Picture = {
  readonly type: string;
  /** Undefined if the CDN did not say. */
  readonly length: number | undefined;
  /** Ends with an error if it grows too large, or takes too long. */
  readonly body: Readable;
};

type Keep = (bytes: Buffer) => void;

export type PictureClient = {
  /** Rejects with the `AppError` that the visitor is told. `keep` gets a small picture that has come whole. */
  readonly get: (path: string, keep: Keep) => Promise<Picture>;
  readonly close: () => Promise<void>;
};

export type PictureClientDeps = {
  readonly clock: Clock;
  readonly urls: Pick<PlatformUrls, 'cdnUrl'>;
  /** The site's own address: the platform wants to know who asks. */
  readonly publicUrl: string;
  readonly connections: number;
};

const MAX_BYTES = 10 * 2 ** 20;
const SMALL_BYTES = 2 ** 20;
/** A visitor with a slow line gets a large picture in this time; a CDN that sends a byte a second does not count. */
const WHOLE_MS = 30_000;

/** Asks the CDN for pictures. It has no tokens, follows no redirect, and passes on nothing but pictures. */
export const createPictureClient = (deps: PictureClientDeps): PictureClient => {
  const { clock, urls, publicUrl, connections } = deps;
  const { origin, pathname } = new URL(urls.cdnUrl);
  const base = pathname.replace(/\/$/, '');
  const headers = { 'user-agent': `Whoflake/${manifest.version} (+${publicUrl})`, accept: 'image/*' };
  const pool = new Pool(origin, {
    connections,
    allowH2: false,
    connect: { timeout: CONNECT_MS },
    // Our own deadlines hold, on our own clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const open = async (path: string, keep: Keep, signal: AbortSignal): Promise<Picture> => {
    const response = await pool.request({ method: 'GET', path: base + path, headers, signal });
    // An early end is reported by the reader, if there is one.
    response.body.on('error', () => {});
    if (response.statusCode === 404) throw new AppError('not-found');
    const { 'content-length': said, 'content-type': declared, 'content-encoding': coding } = response.headers;
    const length = said === undefined ? undefined : Number(said);
    const isPicture = response.statusCode === 200 && String(declared).startsWith('image/');
    if (!isPicture || coding !== undefined || (length ?? 0) > MAX_BYTES) throw new AppError('picture-failed');
    const chunks = response.body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const head = await readHead(chunks);
    const type = pictureType(head);
    if (type === undefined) throw new AppError('picture-failed');
    return { type, length, body: Readable.from(limited(head, chunks, keep), { objectMode: false }) };
  };

  return {
    get: async (path, keep) => {
      const ended = new AbortController();
      const end = (): void => ended.abort();
      const cancelWhole = clock.after(WHOLE_MS, end);
      const cancelHead = clock.after(HEADERS_MS, end);
      const release = (): void => {
        cancelWhole();
        end();
      };
      try {
        const picture = await open(path, keep, ended.signal);
        // Also if the visitor leaves.
        picture.body.once('close', release);
        return picture;
      } catch (error) {
        const isLate = ended.signal.aborted;
        release();
        throw isNetworkError(error) ? new AppError(isLate ? 'picture-timeout' : 'picture-failed') : error;
      } finally {
        cancelHead();
      }
    },
    close: () => pool.destroy(),
  };
};

/** What the network or the CDN does has a code; a mistake of ours has none. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof AppError) && 'code' in error;

/** Enough to tell the type, or all there is. */
const readHead = async (chunks: AsyncIterator<Buffer>): Promise<Buffer> => {
  let head = Buffer.alloc(0);
  while (head.length < TYPE_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
};

async function* limited(head: Buffer, chunks: AsyncIterator<Buffer>, keep: Keep): AsyncGenerator<Buffer> {
  const small = [head];
  let size = head.length;
  yield head;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    size += next.value.length;
    if (size > MAX_BYTES) throw new AppError('picture-failed');
    if (size <= SMALL_BYTES) small.push(next.value);
    yield next.value;
  }
  if (size <= SMALL_BYTES) keep(Buffer.concat(small));
}
