import { setImmediate as macrotask } from 'node:timers/promises';
import type { System } from '#server/system.ts';

export type FakeSystem = System & {
  /** Moves both clocks on, firing due timers in order and letting promises settle after each. */
  readonly advance: (ms: number) => Promise<void>;
  /** Makes the wall clock jump while the monotonic one goes on. */
  readonly skewWall: (ms: number) => void;
  /** Time goes on, but no timer fires, as when the event loop is held up. */
  readonly stall: (ms: number) => void;
};

type FakeTimer = { readonly dueMs: number; readonly task: () => void };

/** mulberry32: repeatable numbers in [0, 1), for tests only. */
const seededFractions = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The default wall time lies far ahead, so that libraries reading the real clock find nothing expired. */
export const createFakeSystem = ({
  wallMs = 4_000_000_000_000,
  seed = 1,
  drawsZero = false,
} = {}): FakeSystem => {
  const fraction = seededFractions(seed);
  /** By the time when they are due, and then in the order in which they were set. */
  const timers: FakeTimer[] = [];
  let elapsedMs = 0;
  let wallStartMs = wallMs;

  const takeNextDue = (untilMs: number): FakeTimer | undefined =>
    (timers[0]?.dueMs ?? Infinity) <= untilMs ? timers.shift() : undefined;

  return {
    clock: {
      wallMs: () => wallStartMs + elapsedMs,
      monotonicMs: () => elapsedMs,
      after: (delayMs, task) => {
        const timer: FakeTimer = { dueMs: elapsedMs + Math.max(0, delayMs), task };
        timers.splice(timers.findLastIndex(({ dueMs }) => dueMs <= timer.dueMs) + 1, 0, timer);
        return () => {
          const place = timers.indexOf(timer);
          if (place >= 0) timers.splice(place, 1);
        };
      },
    },
    random: {
      bytes: (size) => Buffer.from(Array.from({ length: size }, () => Math.floor(fraction() * 256))),
      uuid: () => `00000000-0000-4000-8000-${String(Math.floor(fraction() * 1e12)).padStart(12, '0')}`,
      integer: (exclusiveMax) => (drawsZero ? 0 : Math.floor(fraction() * exclusiveMax)),
    },
    advance: async (ms) => {
      const untilMs = elapsedMs + ms;
      await macrotask();
      for (let due = takeNextDue(untilMs); due !== undefined; due = takeNextDue(untilMs)) {
        elapsedMs = Math.max(elapsedMs, due.dueMs);
        due.task();
        await macrotask();
      }
      elapsedMs = Math.max(elapsedMs, untilMs);
      await macrotask();
    },
    skewWall: (ms) => {
      wallStartMs += ms;
    },
    stall: (ms) => {
      elapsedMs += ms;
    },
  };
};
