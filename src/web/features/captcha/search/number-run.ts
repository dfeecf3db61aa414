import { compressBlock, initialState, ROUNDS } from './sha256-rounds.ts';

/** A number and the ones after it with as many digits: everything hashed before the digits is the same for all of them. */
export type Run = {
  /** After the blocks that the salt alone fills. */
  readonly midstate: Int32Array;
  /** The blocks after that, with SHA-256's padding: one, or two if the salt leaves too little room. */
  readonly schedules: readonly Int32Array[];
  /** Places of digits, in bytes of those blocks. */
  readonly firstDigit: number;
  readonly lastDigit: number;
};

const BLOCK_BYTES = 64;
const NINE = 0x39;

const toSchedules = (bytes: Uint8Array): Int32Array[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / BLOCK_BYTES }, (_, block) => {
    const schedule = new Int32Array(ROUNDS);
    for (let i = 0; i < 16; i++) schedule[i] = view.getInt32(block * BLOCK_BYTES + i * 4);
    return schedule;
  });
};

/** Pads as SHA-256 does. `hashedBytes` came before the ending and count in the length. */
const pad = (ending: Uint8Array, hashedBytes: number): Uint8Array => {
  const padded = new Uint8Array(Math.ceil((ending.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(ending);
  padded[ending.length] = 0x80;
  new DataView(padded.buffer).setUint32(padded.length - 4, (hashedBytes + ending.length) * 8);
  return padded;
};

export const createRuns = (salt: string): ((start: number) => Run) => {
  const encoder = new TextEncoder();
  const saltBytes = encoder.encode(salt);
  const firstDigit = saltBytes.length % BLOCK_BYTES;
  const hashedBytes = saltBytes.length - firstDigit;
  const midstate = toSchedules(saltBytes.subarray(0, hashedBytes)).reduce(compressBlock, initialState());

  return (start) => {
    const ending = encoder.encode(salt + String(start)).subarray(hashedBytes);
    const schedules = toSchedules(pad(ending, hashedBytes));
    return { midstate, schedules, firstDigit, lastDigit: ending.length - 1 };
  };
};

export const increment = (schedules: readonly Int32Array[], lastDigit: number): void => {
  for (let position = lastDigit; ; position--) {
    const block = schedules[Math.floor(position / BLOCK_BYTES)]!;
    const word = (position % BLOCK_BYTES) >> 2;
    const shift = 24 - 8 * (position & 3);
    if (((block[word]! >>> shift) & 0xff) !== NINE) {
      block[word] = block[word]! + (1 << shift);
      return;
    }
    block[word] = block[word]! - (9 << shift);
  }
};
