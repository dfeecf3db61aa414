import { constants, crc32, deflateRawSync } from 'node:zlib';
import { etagOf, NO_CACHE, type EncodedBody, type StaticFile } from './static-file.ts';

/** Fills the gaps between the texts, in order. */
export type Splice = (gaps: readonly string[]) => StaticFile;

/** RFC 1952: deflate, no name, no time, Unix. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

/** A piece that ends at a whole byte and refers to nothing before it, so that another one can follow or precede it. */
const deflate = (piece: Buffer): Buffer =>
  deflateRawSync(piece, { level: 9, finishFlush: constants.Z_FULL_FLUSH });

/** RFC 1951: an empty last block. */
const END = Buffer.from([3, 0]);

/**
 * A file that differs from answer to answer only in short gaps. Its texts are compressed once, what fills the gaps for
 * each answer. Compressing all of it each time would take seven times as long as sending a page.
 */
export const createSplicedFile = (texts: readonly string[], contentType: string): Splice => {
  const pieces = texts.map((text) => Buffer.from(text));
  const textsTag = etagOf(Buffer.concat(pieces));
  const deflated = pieces.map(deflate);

  return (gaps) => {
    const filled = texts.slice(1).map((_, n) => Buffer.from(gaps[n] ?? ''));
    const alternate = (between: readonly Buffer[], inGaps: readonly Buffer[]): Buffer[] =>
      between.flatMap((piece, n) => [piece, inGaps[n] ?? Buffer.of()]);
    const plain = alternate(pieces, filled);
    const tag = etagOf(Buffer.from([textsTag, ...gaps].join('\0')));
    return {
      contentType,
      cacheControl: NO_CACHE,
      get identity(): EncodedBody {
        return { bytes: Buffer.concat(plain), etag: `"${tag}"` };
      },
      get gzip(): EncodedBody {
        const blocks = alternate(deflated, filled.map(deflate));
        return { bytes: Buffer.concat([GZIP_HEADER, ...blocks, END, trailer(plain)]), etag: `"${tag}-gz"` };
      },
    };
  };
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
