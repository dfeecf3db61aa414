import { ROUNDS, ROUNDS_TO_WORD_H } from './sha256-rounds.ts';
import { doIf, doWhile, get, giveBack, number, set, toModule, vector, type Code } from './wasm-code.ts';

export const VECTOR_BYTES = 16;
const at = (vectors: number): number => vectors * VECTOR_BYTES;

/** Addresses in the kernel's memory. Everything there is a vector, with a value for each of four numbers. */
export const MEMORY = {
  /** Of the rounds. */
  constants: at(0),
  /** The schedule. */
  words: at(ROUNDS),
  /** a to h, before the round of the first word that differs within a hundred. */
  registers: at(2 * ROUNDS),
  /** That word and the next, for the number that ends in 00. */
  changing: at(2 * ROUNDS + 8),
  /** What these two gain in the numbers that end in 00 to 03, in 04 to 07, and so on. */
  digits: at(2 * ROUNDS + 10),
  end: at(2 * ROUNDS + 10 + 2 * 25),
};

// Locals: the parameters, other numbers, vectors. Rounds are counted by their distance in memory.
const [firstRound, wanted, round, digits] = [0, 1, 2, 3];
const [x, y] = [4, 5];
type Registers = readonly [number, number, number, number, number, number, number, number];
const registers: Registers = [6, 7, 8, 9, 10, 11, 12, 13];

const xor = (...values: readonly Code[]): Code => values.reduce((all, value) => vector.xor(all, value));
const add = (...values: readonly Code[]): Code => values.reduce((all, value) => vector.add(all, value));
const shiftRight = (local: number, bits: number): Code => vector.shiftRight(get(local), number.of(bits));
const rotate = (local: number, bits: number): Code =>
  xor(shiftRight(local, bits), vector.shiftLeft(get(local), number.of(32 - bits)));
const advance = (local: number, vectors: number): Code =>
  set(local, number.add(get(local), number.of(at(vectors))));
const isBefore = (local: number, address: number): Code => number.isLess(get(local), number.of(address));

const fromMemory = (address: number): Code => vector.load(number.of(0), address);
const wordBack = (distance: number): Code => vector.load(get(round), MEMORY.words - at(distance));

/** Derives the word of the current round from those before. */
const expandWord: Code = [
  set(x, wordBack(15)),
  set(y, wordBack(2)),
  vector.store(
    get(round),
    MEMORY.words,
    add(
      wordBack(16),
      wordBack(7),
      xor(rotate(x, 7), rotate(x, 18), shiftRight(x, 3)),
      xor(rotate(y, 17), rotate(y, 19), shiftRight(y, 10)),
    ),
  ),
];

/** The current round, or one that comes `ahead` of it by so many. Afterwards h is called a, a is called b, and so on. */
const runRound = ([a, b, c, d, e, f, g, h]: Registers, ahead: number): Code => [
  set(
    x,
    add(
      get(h),
      vector.load(get(round), MEMORY.constants + at(ahead)),
      vector.load(get(round), MEMORY.words + at(ahead)),
      vector.select(get(f), get(g), get(e)),
      xor(rotate(e, 6), rotate(e, 11), rotate(e, 25)),
    ),
  ),
  set(d, add(get(d), get(x))),
  set(
    h,
    add(
      get(x),
      vector.select(get(c), get(b), xor(get(a), get(b))),
      xor(rotate(a, 2), rotate(a, 13), rotate(a, 22)),
    ),
  ),
];

const renamed = ([a, b, c, d, e, f, g, h]: Registers): Registers => [h, a, b, c, d, e, f, g];
const eightRounds = (names: Registers, ahead = 0): Code =>
  ahead === 8 ? [] : [runRound(names, ahead), eightRounds(renamed(names), ahead + 1)];
const moveRegisters: Code = [renamed(registers).map(get), registers.toReversed().map((local) => set(local))];
/** True unless the number of rounds that are left is a multiple of eight. */
const leavesRest = number.and(
  number.add(get(round), number.of(at(8 - (ROUNDS_TO_WORD_H % 8)))),
  number.of(at(7)),
);

const changeWord = (ahead: 0 | 1): Code =>
  vector.store(
    get(firstRound),
    MEMORY.words + at(ahead),
    add(fromMemory(MEMORY.changing + at(ahead)), vector.load(get(digits), at(ahead))),
  );

/**
 * `run(firstRound, wanted)` is 1 if, for a number of the hundred, register e comes to `wanted` where it decides on word h.
 * Eight rounds are unrolled, so that the registers need not move. With all of them unrolled it ran no faster, measured.
 */
export const kernelModule = (): Uint8Array<ArrayBuffer> =>
  toModule({
    locals: { parameters: 2, numbers: 2, vectors: 10 },
    body: [
      set(digits, number.of(MEMORY.digits)),
      doWhile(
        isBefore(digits, MEMORY.end),
        changeWord(0),
        changeWord(1),
        set(round, number.of(at(16))),
        doWhile(isBefore(round, at(ROUNDS_TO_WORD_H)), expandWord, advance(round, 1)),
        ...registers.map((local, i) => set(local, fromMemory(MEMORY.registers + at(i)))),
        set(round, get(firstRound)),
        doIf(leavesRest, doWhile(leavesRest, runRound(registers, 0), moveRegisters, advance(round, 1))),
        doWhile(isBefore(round, at(ROUNDS_TO_WORD_H)), eightRounds(registers), advance(round, 8)),
        doIf(
          vector.isAnySet(vector.isEqual(get(registers[4]), vector.of(get(wanted)))),
          giveBack(number.of(1)),
        ),
        advance(digits, 2),
      ),
      number.of(0),
    ],
  });
