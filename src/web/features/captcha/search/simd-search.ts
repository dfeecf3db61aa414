import kernelModule from './kernel.wat';
import { increment } from './number-run.ts';
import type { SkipHundreds } from './number-search.ts';
import { ROUND_CONSTANTS, runRounds } from './sha256-rounds.ts';

const VECTOR_BYTES = 16;

type Part = 'constants' | 'words' | 'registers' | 'changing' | 'digits';

type Kernel = Readonly<Record<Part, WebAssembly.Global<'i32'>>> & {
  readonly run: (firstRound: number, wanted: number) => number;
  readonly memory: WebAssembly.Memory;
};

/** Undefined if the browser has no WebAssembly with vectors, or the policy forbids compiling. */
const startKernel = (): Kernel | undefined => {
  try {
    const bytes = Uint8Array.from(atob(kernelModule), (byte) => byte.charCodeAt(0));
    return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as Kernel;
  } catch {
    return undefined;
  }
};

export const createSimdSearch = (): SkipHundreds | undefined => {
  const kernel = startKernel();
  if (!kernel) return undefined;
  const memory = new Int32Array(kernel.memory.buffer);

  const writeVectors = (part: Part, values: Int32Array, skipped = 0): void => {
    let at = (kernel[part].value + VECTOR_BYTES * skipped) / 4;
    for (const value of values) memory.fill(value, at, (at += 4));
  };
  const writeDigits = (firstByte: number): void => {
    const words = new DataView(new ArrayBuffer(8));
    for (let number = 0; number < 100; number++) {
      words.setUint8(firstByte, Math.floor(number / 10));
      words.setUint8(firstByte + 1, number % 10);
      const at = kernel.digits.value / 4 + 8 * Math.floor(number / 4) + (number % 4);
      memory[at] = words.getInt32(0);
      memory[at + 4] = words.getInt32(4);
    }
  };
  writeVectors('constants', ROUND_CONSTANTS);

  return ({ midstate, schedules, firstDigit, lastDigit }, most, target) => {
    const [hundreds, tens] = [lastDigit - 2, lastDigit - 1];
    // Our salts leave room for all digits in one block, and few numbers have less than three digits.
    if (schedules.length > 1 || hundreds < firstDigit) return 0;
    const block = schedules[0]!;
    const numberWord = firstDigit >> 2;
    const changingWord = tens >> 2;
    const registers = new Int32Array(8);
    writeDigits(tens & 3);
    writeVectors('words', block.subarray(0, 16));

    for (let skipped = 0; skipped < most; skipped++) {
      if (skipped > 0) increment(schedules, hundreds);
      registers.set(midstate);
      runRounds(registers, block, { from: 0, to: changingWord });
      writeVectors('registers', registers);
      writeVectors('words', block.subarray(numberWord, changingWord), numberWord);
      writeVectors('changing', block.subarray(changingWord, changingWord + 2));
      if (kernel.run(VECTOR_BYTES * changingWord, target[7]! - midstate[7]!)) return skipped;
    }
    return most;
  };
};
