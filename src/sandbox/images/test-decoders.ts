// Readers for tests, written from the formats' documents and not from our encoders.

type BitReader = (count: number) => number;

const bitReader = (bytes: Buffer): BitReader => {
  let at = 0;
  return (count) => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, at += 1) {
      if (at >= bytes.length * 8) throw new RangeError('The stream ends too soon.');
      value += (((bytes[at >>> 3] as number) >>> (at & 7)) & 1) * 2 ** bit;
    }
    return value;
  };
};

const unpackGif = (data: Buffer, minBits: number): number[] => {
  const read = bitReader(data);
  const clear = 1 << minBits;
  const pixels: number[] = [];
  let table: number[][] = [];
  let previous: number[] | undefined;
  let bits = minBits + 1;
  for (;;) {
    const code = read(bits);
    if (code === clear + 1) return pixels;
    if (code === clear) {
      table = Array.from({ length: clear + 2 }, (_, index) => [index]);
      previous = undefined;
      bits = minBits + 1;
      continue;
    }
    const entry: number[] = table[code] ?? [...(previous as number[]), (previous as number[])[0] as number];
    if (code > table.length) throw new RangeError('A code from nowhere.');
    for (const pixel of entry) pixels.push(pixel);
    if (previous !== undefined && table.length < 4096) table.push([...previous, entry[0] as number]);
    if (table.length === 1 << bits && bits < 12) bits += 1;
    previous = entry;
  }
};

/** The 0xRRGGBB of every pixel, frame by frame. */
export const decodeGif = (gif: Buffer): number[][] => {
  const frames: number[][] = [];
  const skipBlocks = (from: number): { data: Buffer; end: number } => {
    const parts: Buffer[] = [];
    let at = from;
    for (let size = gif[at] as number; size > 0; size = gif[at] as number) {
      parts.push(gif.subarray(at + 1, at + 1 + size));
      at += 1 + size;
    }
    return { data: Buffer.concat(parts), end: at + 1 };
  };
  let at = 13 + 256 * 3;
  while (gif[at] !== 0x3b) {
    const isExtension = gif[at] === 0x21;
    const { data, end } = skipBlocks(at + (isExtension ? 2 : 11));
    if (!isExtension)
      frames.push(unpackGif(data, gif[at + 10] as number).map((index) => gif.readUIntBE(13 + index * 3, 3)));
    at = end;
  }
  return frames;
};

type SymbolReader = () => number;

const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

const canonicalReader = (read: BitReader, lengths: readonly number[]): SymbolReader => {
  const symbols = new Map<string, number>();
  let code = 0;
  for (let bits = 1; bits <= 15; bits += 1, code *= 2) {
    for (const [symbol, length] of lengths.entries()) {
      if (length === bits) symbols.set(`${bits}:${code++}`, symbol);
    }
  }
  if (code !== 2 ** 16) throw new RangeError('The prefix code is not complete.');
  return () => {
    let value = 0;
    for (let bits = 1; bits <= 15; bits += 1) {
      value = value * 2 + read(1);
      const symbol = symbols.get(`${bits}:${value}`);
      if (symbol !== undefined) return symbol;
    }
    throw new RangeError('No such code.');
  };
};

const prefixReader = (read: BitReader, alphabet: number): SymbolReader => {
  if (read(1) === 1) {
    if (read(1) === 1) throw new RangeError('Codes of two symbols are not expected.');
    const symbol = read(read(1) === 1 ? 8 : 1);
    return () => symbol;
  }
  const codeLengths = LENGTH_ORDER.map(() => 0);
  for (let index = 0, count = 4 + read(4); index < count; index += 1)
    codeLengths[LENGTH_ORDER[index] as number] = read(3);
  if (read(1) === 1) throw new RangeError('A shortened alphabet is not expected.');
  const readLength = canonicalReader(read, codeLengths);
  return canonicalReader(
    read,
    Array.from({ length: alphabet }, () => readLength()),
  );
};

const readPixels = (read: BitReader, width: number, height: number): number[] => {
  const [green, red, blue, alpha, distance] = [280, 256, 256, 256, 40].map((size) =>
    prefixReader(read, size),
  ) as [SymbolReader, SymbolReader, SymbolReader, SymbolReader, SymbolReader];
  const magnitude = (symbol: number): number => {
    if (symbol < 4) return symbol + 1;
    const extraBits = (symbol - 2) >> 1;
    return ((2 + (symbol & 1)) << extraBits) + read(extraBits) + 1;
  };
  const near = [0, width, 1, width + 1, width - 1];
  const pixels: number[] = [];
  while (pixels.length < width * height) {
    const symbol = green();
    if (symbol < 256) {
      const [redValue, blueValue, alphaValue] = [red(), blue(), alpha()];
      pixels.push(alphaValue * 2 ** 24 + redValue * 2 ** 16 + symbol * 2 ** 8 + blueValue);
      continue;
    }
    const length = magnitude(symbol - 256);
    const back = near[magnitude(distance())] as number;
    for (let n = 0; n < length; n += 1) pixels.push(pixels[pixels.length - back] as number);
  }
  return pixels;
};

const addChannels = (a: number, b: number): number =>
  [0, 8, 16, 24].reduce((sum, shift) => sum + (((a >>> shift) + (b >>> shift)) & 0xff) * 2 ** shift, 0);

const decodeLossless = (data: Buffer): number[] => {
  const read = bitReader(data);
  if (read(8) !== 0x2f) throw new RangeError('Not a lossless image.');
  const [width, height] = [read(14) + 1, read(14) + 1];
  read(1);
  if (read(3) !== 0 || read(1) !== 1 || read(2) !== 3)
    throw new RangeError('A colour index is expected first.');
  const colors = read(8) + 1;
  if (read(1) !== 0) throw new RangeError('No colour cache is expected.');
  let last = 0;
  const palette = readPixels(read, colors, 1).map((delta) => (last = addChannels(last, delta)));
  if (read(3) !== 0) throw new RangeError('No further transform, cache or code groups are expected.');
  return readPixels(read, width, height).map((pixel) => palette[(pixel >>> 8) & 0xff] as number);
};

const riffChunks = (data: Buffer): { type: string; body: Buffer }[] => {
  const chunks: { type: string; body: Buffer }[] = [];
  for (let at = 0; at < data.length;) {
    const size = data.readUInt32LE(at + 4);
    chunks.push({ type: data.toString('latin1', at, at + 4), body: data.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size % 2);
  }
  return chunks;
};

/** The 0xAARRGGBB of every pixel, frame by frame. */
export const decodeWebp = (webp: Buffer): number[][] => {
  if (webp.readUInt32LE(4) !== webp.length - 8)
    throw new RangeError('The file has another size than it says.');
  return riffChunks(webp.subarray(12)).flatMap(({ type, body }) => {
    if (type === 'VP8L') return [decodeLossless(body)];
    return type === 'ANMF' ? riffChunks(body.subarray(16)).map((frame) => decodeLossless(frame.body)) : [];
  });
};
