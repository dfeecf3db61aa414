import { createBitWriter } from './bit-writer.ts';
import type { Film, Palette, Raster } from './raster.ts';

const MIN_CODE_BITS = 8;
const CLEAR = 1 << MIN_CODE_BITS;
const END = CLEAR + 1;
const MAX_CODES = 4096;

/** GIF's LZW: codes grow from 9 to 12 bits, and the table starts anew when it is full. */
const compress = (pixels: Uint8Array): Buffer => {
  const out = createBitWriter();
  const codes = new Map<number, number>();
  let next = END + 1;
  let bits = MIN_CODE_BITS + 1;
  let prefix = pixels[0] ?? 0;
  out.write(CLEAR, bits);
  for (const pixel of pixels.subarray(1)) {
    const key = (prefix << 8) | pixel;
    const known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    out.write(prefix, bits);
    prefix = pixel;
    if (next < MAX_CODES) {
      codes.set(key, next);
      // The decoder is one entry behind, so codes widen only once the new entry no longer fits.
      if (next === 1 << bits) bits += 1;
      next += 1;
    } else {
      out.write(CLEAR, bits);
      codes.clear();
      next = END + 1;
      bits = MIN_CODE_BITS + 1;
    }
  }
  out.write(prefix, bits);
  out.write(END, bits);
  return out.bytes();
};

const uint16 = (value: number): Buffer => Buffer.of(value & 0xff, value >>> 8);

/** Data travels in blocks of up to 255 bytes, each after its length; an empty one ends it. */
const subBlocks = (data: Buffer): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    parts.push(Buffer.of(block.length), block);
  }
  return Buffer.concat([...parts, Buffer.of(0)]);
};

const colorTable = (palette: Palette): Buffer => {
  const table = Buffer.alloc(256 * 3);
  for (const [index, argb] of palette.entries()) table.writeUIntBE(argb & 0xff_ff_ff, index * 3, 3);
  return table;
};

const LOOP_FOREVER = Buffer.concat([
  Buffer.of(0x21, 0xff, 11),
  Buffer.from('NETSCAPE2.0'),
  Buffer.of(3, 1, 0, 0, 0),
]);
const TRAILER = Buffer.of(0x3b);

const frameBlock = (raster: Raster, frameMs: number): Buffer =>
  Buffer.concat([
    Buffer.of(0x21, 0xf9, 4, 0),
    uint16(Math.round(frameMs / 10)),
    Buffer.of(0, 0, 0x2c, 0, 0, 0, 0),
    uint16(raster.width),
    uint16(raster.height),
    Buffer.of(0, MIN_CODE_BITS),
    subBlocks(compress(raster.pixels)),
  ]);

export const encodeGif = ({ frames, frameMs }: Film): Buffer => {
  const [{ width, height, palette }] = frames;
  return Buffer.concat([
    Buffer.from('GIF89a'),
    uint16(width),
    uint16(height),
    Buffer.of(0xf7, 0, 0),
    colorTable(palette),
    LOOP_FOREVER,
    ...frames.map((raster) => frameBlock(raster, frameMs)),
    TRAILER,
  ]);
};
