import { setImmediate as promisesSettled } from 'node:timers/promises';
import type { Clock } from '#server/system.ts';
import { createTokenSchedule } from '#server/pool/roster/token-schedule.ts';

/** A clock that jumps from one timer to the next, so that minutes pass in as long as their work takes. */
export type SimulatedTime = {
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly run: (forMs: number) => Promise<void>;
  /** Until disposed of, code that asks the process for the time or for a timer gets this one. */
  readonly replaceGlobals: () => Disposable;
};

type Timer = { freeAtMs: number; task: (() => void) | null };

export const createSimulatedTime = (): SimulatedTime => {
  const timers = createTokenSchedule<Timer>();
  let nowMs = 0;

  const start = (delayMs: number, task: () => void): Timer => {
    const timer = { freeAtMs: nowMs + Math.max(0, delayMs), task };
    timers.pushWaiting(timer);
    return timer;
  };
  const cancel = (timer: Timer): void => {
    timer.task = null;
  };

  const run = async (forMs: number): Promise<void> => {
    const untilMs = nowMs + forMs;
    await promisesSettled();
    for (let timer = timers.popDue(untilMs); timer !== undefined; timer = timers.popDue(untilMs)) {
      if (timer.task === null) continue;
      nowMs = timer.freeAtMs;
      timer.task();
      await promisesSettled();
    }
    nowMs = untilMs;
  };

  const replaceGlobals = (): Disposable => {
    const { setTimeout, clearTimeout } = globalThis;
    const { now } = Date;
    const replacements = {
      setTimeout: (task: () => void, delayMs = 0) => start(delayMs, task),
      clearTimeout: (timer: Timer | undefined) => timer !== undefined && cancel(timer),
    };
    Object.assign(globalThis, replacements);
    Date.now = () => nowMs;
    return {
      [Symbol.dispose]: () => {
        Object.assign(globalThis, { setTimeout, clearTimeout });
        Date.now = now;
      },
    };
  };

  return {
    clock: {
      wallMs: () => nowMs,
      monotonicMs: () => nowMs,
      after: (delayMs, task) => {
        const timer = start(delayMs, task);
        return () => cancel(timer);
      },
    },
    wait: (ms) =>
      new Promise((resolve) => {
        start(ms, resolve);
      }),
    run,
    replaceGlobals,
  };
};
