import { crc32, deflateSync } from 'node:zlib';
import type { Raster } from './raster.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const INDEXED_COLOR = 3;

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
};

/** Each row of a PNG begins with the number of its filter; 0 is none. */
const filteredRows = ({ width, height, pixels }: Raster): Buffer => {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return rows;
};

export const encodePng = (raster: Raster): Buffer => {
  const { width, height, palette } = raster;
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.of(8, INDEXED_COLOR, 0, 0, 0)]);
  const colors = Buffer.from(
    palette.flatMap((argb) => [(argb >>> 16) & 0xff, (argb >>> 8) & 0xff, argb & 0xff]),
  );
  const opacities = Buffer.from(palette.map((argb) => argb >>> 24));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colors),
    chunk('tRNS', opacities),
    chunk('IDAT', deflateSync(filteredRows(raster))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
