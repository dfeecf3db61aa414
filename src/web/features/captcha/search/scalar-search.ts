import { increment, type Run } from './number-run.ts';
import { compressBlock, expandBlock, ROUNDS_TO_WORD_H, runRounds } from './sha256-rounds.ts';

/** The offset in the run of the number with the digest `target`, if it is among the first `count`. */
export const searchOneByOne = (run: Run, count: number, target: Int32Array): number | undefined => {
  const { midstate, schedules } = run;
  const block = schedules.at(-1)!;
  const oneBlock = schedules.length === 1;
  const rounds = { from: oneBlock ? run.firstDigit >> 2 : 0, to: ROUNDS_TO_WORD_H };
  const afterSalt = midstate.slice();
  runRounds(afterSalt, block, { from: 0, to: rounds.from });
  const registers = new Int32Array(8);

  for (let i = 0; i < count; i++) {
    if (i > 0) increment(schedules, run.lastDigit);
    const state = oneBlock ? midstate : compressBlock(midstate, schedules[0]!);
    registers.set(oneBlock ? afterSalt : state);
    expandBlock(block);
    runRounds(registers, block, rounds);
    if (((registers[4]! + state[7]!) | 0) === target[7]) {
      const digest = compressBlock(state, block);
      if (digest.every((word, j) => word === target[j])) return i;
    }
  }
  return undefined;
};
