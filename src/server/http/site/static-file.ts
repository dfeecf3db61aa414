import { createHash } from 'node:crypto';
import { brotliCompress, brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** One answer kept in memory, in every encoding that makes it smaller. */
export type StaticFile = {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly identity: EncodedBody;
  readonly br?: EncodedBody;
  readonly gzip?: EncodedBody;
};

export type EncodedBody = { readonly bytes: Buffer; readonly etag: string };

type ContentCoding = 'br' | 'gzip' | 'identity';

const FASTEST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const smallest = (length: number) => ({ params: { [constants.BROTLI_PARAM_SIZE_HINT]: length } });
const QUALITY = /\s*;\s*q=/;

/** Unless it says otherwise, a browser asks each time whether it changed. */
export const createUncompressedFile = (
  bytes: Buffer,
  contentType: string,
  cacheControl = 'no-cache',
): StaticFile => ({ contentType, cacheControl, identity: encodedBody(bytes, '') });

/**
 * Made and compressed once it is asked for: the start need not wait for every page. Whoever comes first gets what can be
 * made at once, and everybody else the smallest there is, under one tag.
 */
export const createStaticFile = (
  make: () => Buffer,
  contentType: string,
  cacheControl = 'no-cache',
): StaticFile => {
  let identity: EncodedBody | undefined;
  let br: EncodedBody | undefined;
  let gzip: EncodedBody | undefined;
  const whole = (): EncodedBody => (identity ??= encodedBody(make(), ''));
  const compress = (): EncodedBody => {
    const { bytes } = whole();
    const first = encodedBody(brotliCompressSync(bytes, FASTEST), '-br');
    brotliCompress(bytes, smallest(bytes.length), (error, compressed) => {
      if (error === null) br = { ...first, bytes: compressed };
    });
    return first;
  };
  return {
    contentType,
    cacheControl,
    get identity() {
      return whole();
    },
    get br() {
      return (br ??= compress());
    },
    get gzip() {
      return (gzip ??= encodedBody(gzipSync(whole().bytes, { level: 9 }), '-gz'));
    },
  };
};

/** For what is made on request and sent once or for a moment: only what is sent is made at all. */
export const createOneOffFile = (bytes: Buffer, contentType: string): StaticFile => {
  let identity: EncodedBody | undefined;
  let br: EncodedBody | undefined;
  return {
    contentType,
    cacheControl: 'no-cache',
    get identity() {
      return (identity ??= encodedBody(bytes, ''));
    },
    get br() {
      return (br ??= encodedBody(brotliCompressSync(bytes, FASTEST), '-br'));
    },
  };
};

/** The same with bodies that were compressed before. */
export const withEncodings = (
  file: StaticFile,
  { br, gzip }: { readonly br: Buffer; readonly gzip: Buffer },
): StaticFile => ({ ...file, br: encodedBody(br, '-br'), gzip: encodedBody(gzip, '-gz') });

/** The smallest encoding that the visitor's browser takes. */
export const chooseBody = (
  file: StaticFile,
  acceptEncoding: string | undefined,
): [ContentCoding, EncodedBody] => {
  if (acceptEncoding !== undefined) {
    const br = accepts(acceptEncoding, 'br') ? file.br : undefined;
    if (br !== undefined) return ['br', br];
    const gzip = accepts(acceptEncoding, 'gzip') ? file.gzip : undefined;
    if (gzip !== undefined) return ['gzip', gzip];
  }
  return ['identity', file.identity];
};

export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch === etag ||
    ifNoneMatch
      .split(',')
      .some((candidate) => candidate.trim().replace(/^W\//, '') === etag || candidate.trim() === '*'));

const accepts = (header: string, coding: string): boolean =>
  header.split(',').some((part) => {
    const [name, quality] = part.trim().toLowerCase().split(QUALITY);
    return name === coding && (quality === undefined || Number(quality) > 0);
  });

const encodedBody = (bytes: Buffer, suffix: string): EncodedBody => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}${suffix}"`,
});
