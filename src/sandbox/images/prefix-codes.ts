import type { BitWriter } from './bit-writer.ts';

/** Code and length per symbol; a symbol that never occurs has length 0. */
export type PrefixCode = { readonly codes: readonly number[]; readonly lengths: readonly number[] };

const MAX_BITS = 15;

type Node = { readonly weight: number; readonly symbols: readonly number[] };

/** Huffman's construction; each merge puts the symbols below it one bit deeper. */
const huffmanLengths = (counts: readonly number[], leastWeight: number): number[] => {
  const lengths = counts.map(() => 0);
  let nodes: Node[] = counts.flatMap((count, symbol) =>
    count > 0 ? [{ weight: Math.max(count, leastWeight), symbols: [symbol] }] : [],
  );
  while (nodes.length > 1) {
    nodes.sort((a, b) => a.weight - b.weight);
    const [first, second, ...rest] = nodes as [Node, Node, ...Node[]];
    const symbols = [...first.symbols, ...second.symbols];
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
    nodes = [{ weight: first.weight + second.weight, symbols }, ...rest];
  }
  return lengths;
};

const limitedLengths = (counts: readonly number[]): number[] => {
  for (let leastWeight = 1; ; leastWeight *= 2) {
    const lengths = huffmanLengths(counts, leastWeight);
    // Rare symbols are what makes a tree deep; weighing them up flattens it.
    if (Math.max(...lengths) <= MAX_BITS) return lengths;
  }
};

const reversed = (code: number, bits: number): number => {
  let result = 0;
  for (let bit = 0; bit < bits; bit += 1) result = (result << 1) | ((code >>> bit) & 1);
  return result;
};

/** Canonical codes, bit-reversed because the stream is written from the low end. */
const canonicalCodes = (lengths: readonly number[]): number[] => {
  const codes = lengths.map(() => 0);
  let code = 0;
  for (let bits = 1; bits <= MAX_BITS; bits += 1) {
    for (const [symbol, length] of lengths.entries()) {
      if (length !== bits) continue;
      codes[symbol] = reversed(code, bits);
      code += 1;
    }
    code <<= 1;
  }
  return codes;
};

export const prefixCodeFor = (counts: readonly number[]): PrefixCode => {
  const lengths = limitedLengths(counts);
  return { lengths, codes: canonicalCodes(lengths) };
};

export const writeSymbol = (out: BitWriter, code: PrefixCode, symbol: number): void =>
  out.write(code.codes[symbol] as number, code.lengths[symbol] as number);

const CODE_LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/** A code of one symbol costs nothing per use. */
const writeSimpleCode = (out: BitWriter, symbol: number): void => {
  out.write(1, 1);
  out.write(0, 1);
  out.write(1, 1);
  out.write(symbol, 8);
};

/** Lengths are sent as plain four-bit numbers: the code for them has sixteen codes of four bits. */
export const writePrefixCode = (out: BitWriter, counts: readonly number[], { lengths }: PrefixCode): void => {
  const used = counts.filter((count) => count > 0).length;
  if (used < 2) {
    writeSimpleCode(
      out,
      Math.max(
        0,
        counts.findIndex((count) => count > 0),
      ),
    );
    return;
  }
  out.write(0, 1);
  out.write(CODE_LENGTH_ORDER.length - 4, 4);
  for (const symbol of CODE_LENGTH_ORDER) out.write(symbol < 16 ? 4 : 0, 3);
  out.write(0, 1);
  for (const length of lengths) out.write(reversed(length, 4), 4);
};
