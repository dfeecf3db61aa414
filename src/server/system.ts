import { randomBytes, randomInt, randomUUID } from 'node:crypto';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Harmless after the timer has fired. */
export type CancelTimer = () => void;

export type Clock = {
  /** Milliseconds since the Unix epoch; may jump. */
  readonly wallMs: () => number;
  /** Milliseconds from an arbitrary start; never goes back. */
  readonly monotonicMs: () => number;
  /** Runs `task` once after `delayMs`, soon if negative. Does not keep the process alive, except in `keepAliveSystem`. */
  readonly after: (delayMs: number, task: () => void) => CancelTimer;
};

/** Comparable with the times of other processes, and steady. */
export const steadyClock = ({ wallMs, monotonicMs }: Clock): (() => number) => {
  const startMs = wallMs() - monotonicMs();
  return () => startMs + monotonicMs();
};

export type Random = {
  readonly bytes: (size: number) => Buffer;
  readonly integer: (exclusiveMax: number) => number;
  readonly uuid: () => string;
};

/** At once in memory, after a round trip in PostgreSQL. */
export type MaybePromise<T> = T | Promise<T>;

export type System = { readonly clock: Clock; readonly random: Random };

export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, resolve);
  });

type RepetitionDeps = {
  readonly clock: Clock;
  /** Handles its own failures: what it throws ends the process. */
  readonly work: () => Promise<void> | void;
  readonly restMs: () => number;
};

/** Work that is done again and again, each time after a rest. */
export const createRepetition = ({ clock, work, restMs }: RepetitionDeps) => {
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  let cancelTimer: CancelTimer = () => {};

  const runAfter = (delayMs: number): void => {
    if (isStopped) return;
    cancelTimer = clock.after(delayMs, () => {
      running = run();
    });
  };
  const run = async (): Promise<void> => {
    await work();
    runAfter(restMs());
  };

  return {
    start: (firstMs = restMs()): void => runAfter(firstMs),
    /** Resolves when the work that is under way is done. */
    stop: (): Promise<void> => {
      isStopped = true;
      cancelTimer();
      return running;
    },
  };
};

export const isoTime = (clock: Clock): string => new Date(clock.wallMs()).toISOString();
export const isoDay = (clock: Clock): string => isoTime(clock).slice(0, 10);

const createClock = ({ keepsAlive }: { readonly keepsAlive: boolean }): Clock => ({
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, Math.max(0, delayMs));
    if (!keepsAlive) timer.unref();
    return () => clearTimeout(timer);
  },
});

export const realSystem: System = {
  clock: createClock({ keepsAlive: false }),
  random: {
    bytes: (size) => randomBytes(size),
    integer: (exclusiveMax) => randomInt(exclusiveMax),
    uuid: () => randomUUID(),
  },
};

/** For commands: their process would otherwise end while they wait. */
export const keepAliveSystem: System = { ...realSystem, clock: createClock({ keepsAlive: true }) };
