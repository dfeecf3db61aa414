import { increment } from './number-run.ts';
import type { SkipHundreds } from './number-search.ts';
import { ROUND_CONSTANTS, runRounds } from './sha256-rounds.ts';
import { kernelModule, MEMORY, VECTOR_BYTES } from './simd-kernel.ts';

type Kernel = {
  readonly run: (firstRound: number, wanted: number) => number;
  readonly memory: WebAssembly.Memory;
};

/** Undefined if the browser has no WebAssembly with vectors, or the policy forbids compiling. */
const compileKernel = (): Kernel | undefined => {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(kernelModule())).exports as Kernel;
  } catch {
    return undefined;
  }
};

/** Hashes four numbers at a time, if the browser can. */
export const createSimdSearch = (): SkipHundreds | undefined => {
  const kernel = compileKernel();
  if (!kernel) return undefined;
  const memory = new Int32Array(kernel.memory.buffer);

  const writeVectors = (address: number, values: Int32Array): void => {
    let at = address / 4;
    for (const value of values) memory.fill(value, at, (at += 4));
  };
  const writeDigits = (firstByte: number): void => {
    const words = new DataView(new ArrayBuffer(8));
    for (let number = 0; number < 100; number++) {
      words.setUint8(firstByte, Math.floor(number / 10));
      words.setUint8(firstByte + 1, number % 10);
      const at = MEMORY.digits / 4 + 8 * Math.floor(number / 4) + (number % 4);
      memory[at] = words.getInt32(0);
      memory[at + 4] = words.getInt32(4);
    }
  };
  writeVectors(MEMORY.constants, ROUND_CONSTANTS);

  return ({ midstate, schedules, firstDigit, lastDigit }, most, target) => {
    const [hundreds, tens] = [lastDigit - 2, lastDigit - 1];
    // Our salts leave room for all digits in one block, and few numbers have less than three digits.
    if (schedules.length > 1 || hundreds < firstDigit) return 0;
    const block = schedules[0]!;
    const numberWord = firstDigit >> 2;
    /** The first word that differs within a hundred. */
    const changingWord = tens >> 2;
    const registers = new Int32Array(8);
    writeDigits(tens & 3);
    writeVectors(MEMORY.words, block.subarray(0, 16));

    for (let skipped = 0; skipped < most; skipped++) {
      if (skipped > 0) increment(schedules, hundreds);
      registers.set(midstate);
      runRounds(registers, block, { from: 0, to: changingWord });
      writeVectors(MEMORY.registers, registers);
      writeVectors(MEMORY.words + VECTOR_BYTES * numberWord, block.subarray(numberWord, changingWord));
      writeVectors(MEMORY.changing, block.subarray(changingWord, changingWord + 2));
      if (kernel.run(VECTOR_BYTES * changingWord, target[7]! - midstate[7]!)) return skipped;
    }
    return most;
  };
};
