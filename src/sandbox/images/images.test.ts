import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeGif } from './gif.ts';
import { createPictureStore } from './picture-store.ts';
import { paint } from './pictures.ts';
import { encodePng } from './png.ts';
import type { Film, Raster } from './raster.ts';
import { decodeGifFrames } from './gif-reader.ts';
import { decodeWebpFrames } from './webp-reader.ts';

const noise: fc.Arbitrary<Raster> = fc
  .record({ width: fc.integer({ min: 2, max: 40 }), height: fc.integer({ min: 1, max: 40 }), colors: fc.integer({ min: 17, max: 256 }) })
  .chain(({ width, height, colors }) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      palette: fc.array(fc.nat(0xff_ff_ff_ff), { minLength: colors, maxLength: colors }),
      pixels: fc
        .array(fc.oneof(fc.constant(0), fc.nat(colors - 1)), { minLength: width * height, maxLength: width * height })
        .map((indices) => Uint8Array.from(indices)),
    }),
  );

const opaque = (raster: Raster): number[] => [...raster.pixels].map((index) => (raster.palette[index] ?? 0) & 0xff_ff_ff);
const colorsOf = (raster: Raster): number[] => [...raster.pixels].map((index) => raster.palette[index] ?? 0);
const still = (raster: Raster): Film => ({ frames: [raster], frameMs: 100 });

const pngChunks = (png: Buffer): Map<string, Buffer> => {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return chunks;
};

describe('encoders keep every pixel', () => {
  it('in PNG', () => {
    fc.assert(
      fc.property(noise, (raster) => {
        const chunks = pngChunks(encodePng(raster));
        const rows = inflateSync(chunks.get('IDAT') as Buffer);
        const [colors, opacities] = [chunks.get('PLTE') as Buffer, chunks.get('tRNS') as Buffer];
        const decoded = [...rows.entries()].flatMap(([at, index]) =>
          at % (raster.width + 1) === 0 ? [] : [colors.readUIntBE(index * 3, 3) + (opacities[index] ?? 0) * 2 ** 24],
        );
        expect(decoded).toEqual(colorsOf(raster));
      }),
    );
  });

  it('in GIF, but for opacity', () => {
    fc.assert(fc.property(noise, (raster) => expect(decodeGifFrames(encodeGif(still(raster)))).toEqual([opaque(raster)])));
  });

  it('in WebP', () => {
    const store = createPictureStore(0);
    fc.assert(
      fc.property(noise, (raster) => expect(decodeWebpFrames(encodeStillWebp(raster))).toEqual([colorsOf(raster)])),
    );
    expect(store).toBeDefined();
  });
});
