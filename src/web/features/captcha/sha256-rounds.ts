/** SHA-256 in pieces, for a search that shares most of the work between messages. Plain loops: V8 compiles them to faster code than a partial unrolling, measured. */

// oxfmt-ignore
const ROUND_CONSTANTS = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

export const ROUNDS = 64;

// oxfmt-ignore
export const initialState = (): Int32Array => Int32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

/** Derives words 16 and up of the schedule `w` from the 16 words of the block at its start. */
export const expandBlock = (w: Int32Array): void => {
  for (let i = 16; i < ROUNDS; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
};

/** Runs rounds `from` to `to` (exclusive) on the registers a..h, in place. */
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

/** The state after the block at the start of `w`. */
export const compressBlock = (state: Int32Array, w: Int32Array): Int32Array => {
  const registers = state.slice();
  expandBlock(w);
  runRounds(registers, w, { from: 0, to: ROUNDS });
  return registers.map((value, i) => value + state[i]!);
};
