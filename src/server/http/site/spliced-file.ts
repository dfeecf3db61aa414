import { constants, crc32, deflateRawSync } from 'node:zlib';
import { etagOf, NO_CACHE, type EncodedBody, type StaticFile } from './static-file.ts';

/** Fills the gaps between the texts, in order. */
export type Splice = (gaps: readonly string[]) => StaticFile;

/** RFC 1952: deflate, no name, no time, Unix. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

/**
 * A file that differs from answer to answer only in short gaps. Its texts are compressed once, each as blocks of its
 * own; what fills the gaps goes between them uncompressed. Compressing all of it for each answer would take seven times
 * as long as sending a page.
 */
export const createSplicedFile = (texts: readonly string[], contentType: string): Splice => {
  const pieces = texts.map((text) => Buffer.from(text));
  const textsTag = etagOf(Buffer.concat(pieces));
  const deflated = pieces.map((piece, n) =>
    deflateRawSync(piece, n < pieces.length - 1 ? { finishFlush: constants.Z_FULL_FLUSH } : {}),
  );

  return (gaps) => {
    const filled = texts.slice(1).map((_, n) => Buffer.from(gaps[n] ?? ''));
    const alternate = (between: readonly Buffer[], stored: readonly Buffer[]): Buffer[] =>
      between.flatMap((piece, n) => [piece, stored[n] ?? Buffer.of()]);
    const plain = alternate(pieces, filled);
    const tag = etagOf(Buffer.from([textsTag, ...gaps].join('\0')));
    return {
      contentType,
      cacheControl: NO_CACHE,
      get identity(): EncodedBody {
        return { bytes: Buffer.concat(plain), etag: `"${tag}"` };
      },
      get gzip(): EncodedBody {
        const blocks = alternate(deflated, filled.map(storedBlock));
        return { bytes: Buffer.concat([GZIP_HEADER, ...blocks, trailer(plain)]), etag: `"${tag}-gz"` };
      },
    };
  };
};

/** RFC 1951, 3.2.4: not the last block, not compressed, its length twice. */
const storedBlock = (bytes: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(bytes.length ^ 0xff_ff, 3);
  return Buffer.concat([head, bytes]);
};

const trailer = (plain: readonly Buffer[]): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(
    plain.reduce((sum, piece) => crc32(piece, sum), 0),
    0,
  );
  bytes.writeUInt32LE(
    plain.reduce((length, piece) => length + piece.length, 0),
    4,
  );
  return bytes;
};
