/** Plain loops: V8 compiles them to faster code than a partial unrolling, measured. */

export const ROUNDS = 64;
/** Word h of the digest is register e of three rounds earlier, so only a likely hit needs the last three rounds. */
export const ROUNDS_TO_WORD_H = ROUNDS - 3;

const firstPrimes = (count: number): number[] => {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime > 0)) primes.push(n);
  return primes;
};

/** The first 32 bits after the binary point. A double has 50 of them, so rounding the root does not affect these. */
const fractionOf = (root: number): number => ((root % 1) * 2 ** 32) | 0;

// Computed as the standard defines them: written out, they would be a third of what the browser loads for the search.
export const ROUND_CONSTANTS = Int32Array.from(firstPrimes(ROUNDS), (prime) => fractionOf(Math.cbrt(prime)));

export const initialState = (): Int32Array =>
  Int32Array.from(firstPrimes(8), (prime) => fractionOf(Math.sqrt(prime)));

export const expandBlock = (w: Int32Array): void => {
  for (let i = 16; i < ROUNDS; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
};

export const runRounds = (registers: Int32Array, w: Int32Array, span: { from: number; to: number }): void => {
  let a = registers[0]!;
  let b = registers[1]!;
  let c = registers[2]!;
  let d = registers[3]!;
  let e = registers[4]!;
  let f = registers[5]!;
  let g = registers[6]!;
  let h = registers[7]!;
  for (let i = span.from; i < span.to; i++) {
    const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + sum1 + (g ^ (e & (f ^ g))) + ROUND_CONSTANTS[i]! + w[i]!) | 0;
    const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (sum0 + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  registers[0] = a;
  registers[1] = b;
  registers[2] = c;
  registers[3] = d;
  registers[4] = e;
  registers[5] = f;
  registers[6] = g;
  registers[7] = h;
};

export const compressBlock = (state: Int32Array, w: Int32Array): Int32Array => {
  const registers = state.slice();
  expandBlock(w);
  runRounds(registers, w, { from: 0, to: ROUNDS });
  return registers.map((value, i) => value + state[i]!);
};
