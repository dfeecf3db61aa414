import { createBitWriter, type BitWriter } from './bit-writer.ts';
import { prefixCodeFor, writePrefixCode, writeSymbol } from './prefix-codes.ts';
import type { Film, Palette, Raster } from './raster.ts';

// The lossless bitstream "VP8L" of RFC 9649, with the colour-indexing transform and LZ77.

const GREEN_LITERALS = 256;
const GREEN_SYMBOLS = GREEN_LITERALS + 24;
const DISTANCE_SYMBOLS = 40;
const MIN_MATCH = 3;
const MAX_MATCH = 4096;
const COLOR_INDEXING = 3;

/** A literal is a palette index; a copy repeats what stands above, left, above-left or above-right. */
type Token = number | { readonly length: number; readonly distanceCode: number };

const longestCopy = (
  pixels: Uint8Array,
  at: number,
  distances: readonly number[],
): { length: number; distanceCode: number } => {
  let best = { length: 0, distanceCode: 0 };
  const end = Math.min(pixels.length, at + MAX_MATCH);
  for (const [index, distance] of distances.entries()) {
    if (distance > at) continue;
    let to = at;
    while (to < end && pixels[to] === pixels[to - distance]) to += 1;
    if (to - at > best.length) best = { length: to - at, distanceCode: index + 1 };
  }
  return best;
};

const tokenize = ({ pixels, width }: Raster): Token[] => {
  // In the order of the format's first four distance codes.
  const distances = [width, 1, width + 1, width - 1];
  const tokens: Token[] = [];
  for (let at = 0; at < pixels.length;) {
    const copy = longestCopy(pixels, at, distances);
    const isWorthwhile = copy.length >= MIN_MATCH;
    tokens.push(isWorthwhile ? copy : (pixels[at] as number));
    at += isWorthwhile ? copy.length : 1;
  }
  return tokens;
};

/** Lengths and distances share this coding: a symbol for the magnitude, then the bits below it. */
const magnitude = (value: number): { symbol: number; extraBits: number; extra: number } => {
  const rest = value - 1;
  if (rest < 4) return { symbol: rest, extraBits: 0, extra: 0 };
  const high = 31 - Math.clz32(rest);
  const extraBits = high - 1;
  return { symbol: 2 * high + ((rest >>> extraBits) & 1), extraBits, extra: rest & ((1 << extraBits) - 1) };
};

const countSymbols = (symbols: Iterable<number>, alphabet: number): number[] => {
  const counts = Array.from({ length: alphabet }, () => 0);
  for (const symbol of symbols) counts[symbol] = (counts[symbol] ?? 0) + 1;
  return counts;
};

const greenSymbol = (token: Token): number =>
  typeof token === 'number' ? token : GREEN_LITERALS + magnitude(token.length).symbol;

/** Red, blue and alpha of an index image never vary, so their codes have one symbol and no bits. */
const writeConstantCode = (out: BitWriter): void => writePrefixCode(out, [], { codes: [], lengths: [] });

const writeIndices = (out: BitWriter, raster: Raster): void => {
  const tokens = tokenize(raster);
  const greenCounts = countSymbols(tokens.map(greenSymbol), GREEN_SYMBOLS);
  const copies = tokens.filter((token) => typeof token !== 'number');
  const distanceCounts = countSymbols(
    copies.map(({ distanceCode }) => magnitude(distanceCode).symbol),
    DISTANCE_SYMBOLS,
  );
  const green = prefixCodeFor(greenCounts);
  const distance = prefixCodeFor(distanceCounts);

  writePrefixCode(out, greenCounts, green);
  for (let channel = 0; channel < 3; channel += 1) writeConstantCode(out);
  writePrefixCode(out, distanceCounts, distance);
  for (const token of tokens) {
    writeSymbol(out, green, greenSymbol(token));
    if (typeof token === 'number') continue;
    const { extra, extraBits } = magnitude(token.length);
    out.write(extra, extraBits);
    // The four distance codes in use need no extra bits.
    writeSymbol(out, distance, magnitude(token.distanceCode).symbol);
  }
};

const CHANNEL_SHIFTS = { green: 8, red: 16, blue: 0, alpha: 24 };

/** The palette is itself a one-row image, each colour less the one before it, channel by channel. */
const writePalette = (out: BitWriter, palette: Palette): void => {
  const channels = Object.values(CHANNEL_SHIFTS).map((shift) => {
    const deltas = palette.map(
      (argb, index) => ((argb >>> shift) - ((palette[index - 1] ?? 0) >>> shift)) & 0xff,
    );
    const counts = countSymbols(deltas, shift === CHANNEL_SHIFTS.green ? GREEN_SYMBOLS : 256);
    return { deltas, counts, code: prefixCodeFor(counts) };
  });
  out.write(0, 1);
  for (const { counts, code } of channels) writePrefixCode(out, counts, code);
  writeConstantCode(out);
  for (const index of palette.keys()) {
    for (const { deltas, code } of channels) writeSymbol(out, code, deltas[index] as number);
  }
};

const hasAlpha = (palette: Palette): boolean => palette.some((argb) => argb >>> 24 !== 0xff);

const lossless = (raster: Raster): Buffer => {
  const { width, height, palette } = raster;
  const out = createBitWriter();
  out.write(0x2f, 8);
  out.write(width - 1, 14);
  out.write(height - 1, 14);
  out.write(hasAlpha(palette) ? 1 : 0, 1);
  out.write(0, 3);

  out.write(1, 1);
  out.write(COLOR_INDEXING, 2);
  out.write(palette.length - 1, 8);
  writePalette(out, palette);
  out.write(0, 1);

  // Neither a colour cache nor several groups of codes.
  out.write(0, 1);
  out.write(0, 1);
  writeIndices(out, raster);
  return out.bytes();
};

const uint24 = (value: number): Buffer => Buffer.of(value & 0xff, (value >>> 8) & 0xff, value >>> 16);

const chunk = (type: string, data: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), size, data, Buffer.alloc(data.length % 2)]);
};

const container = (...chunks: readonly Buffer[]): Buffer =>
  chunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]));

const ANIMATION_FLAG = 0x02;
const ALPHA_FLAG = 0x10;
const DO_NOT_BLEND = 0x02;

const frameChunk = (raster: Raster, frameMs: number): Buffer =>
  chunk(
    'ANMF',
    Buffer.concat([
      ...[0, 0, raster.width - 1, raster.height - 1, frameMs].map(uint24),
      Buffer.of(DO_NOT_BLEND),
      chunk('VP8L', lossless(raster)),
    ]),
  );

export const encodeWebp = ({ frames, frameMs }: Film): Buffer => {
  const [first, ...others] = frames;
  if (others.length === 0) return container(chunk('VP8L', lossless(first)));
  const flags = ANIMATION_FLAG + (hasAlpha(first.palette) ? ALPHA_FLAG : 0);
  return container(
    chunk(
      'VP8X',
      Buffer.concat([Buffer.of(flags, 0, 0, 0), uint24(first.width - 1), uint24(first.height - 1)]),
    ),
    chunk('ANIM', Buffer.alloc(6)),
    ...frames.map((raster) => frameChunk(raster, frameMs)),
  );
};
