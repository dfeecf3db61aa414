import { crc32, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeGif } from './gif.ts';
import { createPictureStore } from './picture-store.ts';
import { paint, type PictureKind } from './pictures.ts';
import { encodePng } from './png.ts';
import type { Film, Raster } from './raster.ts';
import { decodeGif, decodeWebp } from './test-decoders.ts';
import { encodeWebp } from './webp.ts';

/** Random pixels with runs; formats of up to 16 colours pack differently and do not occur here. */
const rasters: fc.Arbitrary<Raster> = fc
  .tuple(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 17, max: 256 }))
  .chain(([width, height, colors]) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      palette: fc.array(fc.nat(0xff_ff_ff_ff), { minLength: colors, maxLength: colors }),
      pixels: fc
        .array(fc.oneof(fc.constant(0), fc.nat(colors - 1)), {
          minLength: width * height,
          maxLength: width * height,
        })
        .map((indices) => Uint8Array.from(indices)),
    }),
  );

const colorsOf = ({ pixels, palette }: Raster): number[] =>
  Array.from(pixels, (index) => palette[index] as number);
const withoutOpacity = (color: number): number => color % 2 ** 24;
const film = (...frames: [Raster, ...Raster[]]): Film => ({ frames, frameMs: 90 });

const pngChunks = (png: Buffer): Map<string, Buffer> => {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += length + 12;
  }
  return chunks;
};

const decodePng = (png: Buffer, width: number): number[] => {
  const chunks = pngChunks(png);
  const [colors, opacities] = [chunks.get('PLTE') as Buffer, chunks.get('tRNS') as Buffer];
  const rows = inflateSync(chunks.get('IDAT') as Buffer);
  const indices = [...rows].filter((_, at) => at % (width + 1) !== 0);
  return indices.map((index) => colors.readUIntBE(index * 3, 3) + (opacities[index] as number) * 2 ** 24);
};

describe('every pixel survives', () => {
  it.each<[string, (raster: Raster) => number[][], (color: number) => number]>([
    ['PNG', (raster) => [decodePng(encodePng(raster), raster.width)], (color) => color],
    ['GIF, which knows no opacity', (raster) => decodeGif(encodeGif(film(raster))), withoutOpacity],
    ['WebP', (raster) => decodeWebp(encodeWebp(film(raster))), (color) => color],
  ])('%s', (_, throughFormat, keptOf) => {
    fc.assert(
      fc.property(rasters, (raster) => {
        expect(throughFormat(raster)).toEqual([colorsOf(raster).map(keptOf)]);
      }),
    );
  });

  it('large and moving pictures, in which code tables fill up', () => {
    const picture = paint({ kind: 'avatar', hash: 'a_1', size: 128, animated: true });
    const expected = picture.frames.map(colorsOf);
    expect(expected.length).toBe(12);
    expect(decodeGif(encodeGif(picture))).toEqual(expected.map((colors) => colors.map(withoutOpacity)));
    expect(decodeWebp(encodeWebp(picture))).toEqual(expected);
  });
});

describe('pictures', () => {
  const KINDS: PictureKind[] = ['avatar', 'banner', 'default-avatar', 'tag-badge', 'decoration'];

  it.each(KINDS)('of kind %s are drawn from the hash alone', (kind) => {
    const [first, again, other] = ['0', '0', '3'].map(
      (hash) => paint({ kind, hash, size: 32, animated: false }).frames[0],
    );
    expect(first).toEqual(again);
    expect(colorsOf(first as Raster)).not.toEqual(colorsOf(other as Raster));
    expect(new Set(first?.pixels).size).toBeGreaterThan(3);
  });

  it('move without a seam: the last frame is not the first', () => {
    const { frames } = paint({ kind: 'banner', hash: 'a_2', size: 64, animated: true });
    const distinct = new Set(frames.map(({ pixels }) => Buffer.from(pixels).toString('latin1')));
    expect(distinct.size).toBe(frames.length);
  });

  it('are kept encoded, up to a bound', () => {
    const request = { kind: 'avatar', hash: 'x', size: 16, animated: false } as const;
    const roomy = createPictureStore(1_000_000);
    expect(roomy.get(request, 'png')).toBe(roomy.get(request, 'png'));
    const none = createPictureStore(0);
    expect(none.get(request, 'png')).not.toBe(none.get(request, 'png'));
    expect(none.get(request, 'png')).toEqual(roomy.get(request, 'png'));
  });
});
