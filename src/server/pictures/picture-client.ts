import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import manifest from '#package.json' with { type: 'json' };
import { AppError } from '#server/app-error.ts';
import { HEADERS_MS } from '#server/deadlines.ts';
import { createHttpPool } from '#server/platform/http-pool.ts';
import { readSeconds } from '#server/platform/wire/platform-answer.ts';
import type { Clock } from '#server/system.ts';
import { visitorPrefixes } from '#server/visitors/ip-address.ts';

export type Picture = {
  readonly type: string;
  /** Of a large one, if its server has said so. */
  readonly length?: number | undefined;
  /** A small one is there whole. A large one ends with an error if it grows too large, takes too long, or is not read. */
  readonly body: Buffer | Readable;
};

export type PictureClientDeps = {
  readonly clock: Clock;
  readonly cdnUrl: string;
  readonly publicUrl: string;
};

/** Of all visitors together, each on a connection of its own. */
const PICTURES_AT_ONCE = 80;
/** Only these can be read slowly, so they leave half of the places to others. */
const LARGE_AT_ONCE = PICTURES_AT_ONCE / 2;
const AT_ONCE_PER_NETWORK = 20;
const TYPE_BYTES = 12;
const MAX_BYTES = 10 * 2 ** 20;
const SMALL_BYTES = 2 ** 20;
/** A visitor with a slow line gets a large picture in this time; a CDN that sends a byte a second does not count. */
const WHOLE_MS = 30_000;
/** A visitor who takes nothing for this long is gone, or wants to keep others from theirs. */
const STALL_MS = 5_000;
const DEFAULT_WAIT_MS = 60_000;
const BUSY_MS = 1_000;

const busy = (retryAfterMs = BUSY_MS): AppError => new AppError('pictures-busy', { retryAfterMs });

/** It has no tokens, follows no redirect, and passes on nothing but pictures. */
export const createPictureClient = ({ clock, cdnUrl, publicUrl }: PictureClientDeps) => {
  const { origin, pathname } = new URL(cdnUrl);
  const base = pathname.replace(/\/$/, '');
  const headers = { 'user-agent': `Whoflake/${manifest.version} (+${publicUrl})`, accept: 'image/*' };
  const pool = createHttpPool(origin, PICTURES_AT_ONCE);
  const beginTransfer = createTransfers();
  let pausedUntilMs = -Infinity;
  let large = 0;

  /** Throws unless the answer can be a picture. */
  const judge = ({ statusCode = 0, headers: answered }: IncomingMessage): void => {
    const { 'retry-after': wait, 'content-length': length = '0', 'content-type': type } = answered;
    if (statusCode === 429 || (statusCode === 503 && wait !== undefined)) {
      const waitMs = readSeconds(wait) ?? DEFAULT_WAIT_MS;
      pausedUntilMs = Math.max(pausedUntilMs, clock.monotonicMs() + waitMs);
      throw busy(waitMs);
    }
    if (statusCode === 404) throw new AppError('not-found');
    const isPicture = statusCode === 200 && String(type).startsWith('image/');
    if (!isPicture || answered['content-encoding'] !== undefined || Number(length) > MAX_BYTES)
      throw new AppError('picture-failed');
  };

  const open = async (path: string, { signal, end, onHead, onPassed }: Transfer): Promise<Picture> => {
    const waitMs = pausedUntilMs - clock.monotonicMs();
    if (waitMs > 0) throw busy(waitMs);
    const response = await pool.get(base + path, headers, signal);
    // An early end is reported by the reader, if there is one.
    response.on('error', () => {});
    judge(response);
    const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const head = await readUpTo(TYPE_BYTES, chunks);
    onHead();
    const type = pictureType(head.bytes);
    if (type === undefined) throw new AppError('picture-failed');
    const small = await readUpTo(SMALL_BYTES, chunks, head.bytes);
    if (small.isWhole) return { type, body: small.bytes };
    if (large >= LARGE_AT_ONCE) throw busy();
    const length = response.headers['content-length'];
    const watched = limited(small.bytes, chunks, (bytes) => {
      onPassed(bytes);
      return clock.after(STALL_MS, end);
    });
    const body = Readable.from(watched, { objectMode: false });
    large += 1;
    body.once('close', () => (large -= 1));
    return { type, length: length === undefined ? undefined : Number(length), body };
  };

  return {
    get: async (path: string, visitor: string, onPassed: (bytes: number) => void): Promise<Picture> => {
      const endTransfer = beginTransfer(visitor);
      const ended = new AbortController();
      const end = (): void => ended.abort();
      const cancelWhole = clock.after(WHOLE_MS, end);
      const cancelHead = clock.after(HEADERS_MS, end);
      for (const one of [cancelWhole, cancelHead, endTransfer]) ended.signal.addEventListener('abort', one);
      try {
        const picture = await open(path, { signal: ended.signal, end, onHead: cancelHead, onPassed });
        const { body } = picture;
        if (body instanceof Readable) {
          // Also if the visitor leaves; and a visitor who takes nothing would not notice an error.
          body.once('close', end);
          ended.signal.addEventListener('abort', () => body.destroy());
        } else end();
        return picture;
      } catch (error) {
        const isLate = ended.signal.aborted;
        end();
        throw error instanceof AppError ? error : new AppError(isLate ? 'picture-timeout' : 'picture-failed');
      }
    },
    close: pool.close,
  };
};

/** Begins one for a visitor, and returns what ends it. */
const createTransfers = () => {
  const running = new Map<string, number>();
  let all = 0;

  return (visitor: string): (() => void) => {
    const { wide } = visitorPrefixes(visitor);
    const own = running.get(wide) ?? 0;
    if (own >= AT_ONCE_PER_NETWORK || all >= PICTURES_AT_ONCE) throw busy();
    running.set(wide, own + 1);
    all += 1;
    return () => {
      const left = (running.get(wide) ?? 0) - 1;
      if (left > 0) running.set(wide, left);
      else running.delete(wide);
      all -= 1;
    };
  };
};

type Transfer = {
  readonly signal: AbortSignal;
  readonly end: () => void;
  readonly onHead: () => void;
  /** Bytes of a large picture. */
  readonly onPassed: (bytes: number) => void;
};
type Part = { readonly bytes: Buffer; readonly isWhole: boolean };

/** With what was read before: more than that many bytes, or all there are. */
const readUpTo = async (count: number, chunks: AsyncIterator<Buffer>, before?: Buffer): Promise<Part> => {
  const parts = before === undefined ? [] : [before];
  for (let size = before?.length ?? 0; size <= count;) {
    const { done, value } = await chunks.next();
    if (done) return { bytes: Buffer.concat(parts), isWhole: true };
    parts.push(value);
    size += value.length;
  }
  return { bytes: Buffer.concat(parts), isWhole: false };
};

/** `watch` begins a wait for the reader of so many bytes, and returns what ends it. */
async function* limited(
  head: Buffer,
  chunks: AsyncIterator<Buffer>,
  watch: (bytes: number) => () => void,
): AsyncGenerator<Buffer> {
  let size = 0;
  for (let next: IteratorResult<Buffer> = { value: head }; !next.done; next = await chunks.next()) {
    size += next.value.length;
    if (size > MAX_BYTES) throw new AppError('picture-failed');
    const cancel = watch(next.value.length);
    yield next.value;
    cancel();
  }
}

/** By its first bytes, not by what its server says. None of these types can run code; SVG could. */
const pictureType = (bytes: Buffer): string | undefined => {
  const head = bytes.toString('latin1', 0, TYPE_BYTES);
  if (head.startsWith('\u0089PNG\r\n\u001A\n')) return 'image/png';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (head.startsWith('\u00FF\u00D8\u00FF')) return 'image/jpeg';
  return undefined;
};
