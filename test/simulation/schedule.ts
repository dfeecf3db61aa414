import { setImmediate as macrotask } from 'node:timers/promises';
import type { CancelTimer, Clock } from '#server/system.ts';
import type { Dice } from '#test/attacks/dice.ts';

type Task = () => void | Promise<void>;

export type Schedule = ReturnType<typeof createSchedule>;
/** What everything in the world has. */
export type Nature = {
  readonly schedule: Schedule;
  readonly dice: Dice;
  readonly tell: (who: string, what: string) => void;
};

/** When the world begins. */
export const BEGIN_MS = 1_794_700_000_000;

const DISK = new Set(['FSReqPromise', 'CloseReq']);
/** The disk is real, and its answers come by themselves: the world stands still until they are there. */
const isDiskBusy = (): boolean => process.getActiveResourcesInfo().some((name) => DISK.has(name));

/** All that is going to happen, in simulated time: one thing after the other, and all that follows from it at once. */
export const createSchedule = () => {
  const events: { readonly atMs: number; task: Task | null }[] = [];
  let nowMs = 0;
  const at = (atMs: number, task: Task): CancelTimer => {
    const event = { atMs: Math.max(nowMs, atMs), task: task as Task | null };
    let [place, end] = [0, events.length];
    while (place < end) {
      const middle = (place + end) >> 1;
      if ((events[middle]?.atMs ?? 0) <= event.atMs) place = middle + 1;
      else end = middle;
    }
    events.splice(place, 0, event);
    return () => void (event.task = null);
  };
  return {
    nowMs: () => nowMs,
    at,
    in: (delayMs: number, task: Task) => at(nowMs + delayMs, task),
    pause: (ms: number) => new Promise<void>((resolve) => void at(nowMs + ms, resolve)),
    runUntil: async (untilMs: number, isOver: () => boolean): Promise<void> => {
      await macrotask();
      for (let next = events.shift(); next !== undefined && !isOver(); next = events.shift()) {
        if (next.atMs > untilMs) break;
        nowMs = next.atMs;
        await next.task?.();
        do await macrotask();
        while (isDiskBusy());
      }
    },
  };
};

export type Host = ReturnType<typeof createHost>;

/** A machine with one process: it can be killed, frozen, and given a wrong clock. */
export const createHost = ({ schedule, dice }: Nature, name: string) => {
  const bornMs = schedule.nowMs();
  const mourners: (() => void)[] = [];
  let isAlive = true;
  let [thawMs, harmedMs, aheadMs] = [0, 0, 0];

  /** Unless it has died by then; once it has thawed. */
  const run = (delayMs: number, task: Task): CancelTimer => {
    let cancel: CancelTimer = () => {};
    const begin: Task = () => {
      if (!isAlive) return;
      if (schedule.nowMs() >= thawMs) return task();
      cancel = schedule.at(thawMs, begin);
    };
    cancel = schedule.in(delayMs, begin);
    return () => cancel();
  };
  /** Timers are never early, and sometimes late. */
  const lateMs = (): number => dice.below(dice.chance(0.9) ? 10 : 90) / 10;
  const clock: Clock = {
    wallMs: () => BEGIN_MS + schedule.nowMs() + aheadMs,
    monotonicMs: () => schedule.nowMs() - bornMs,
    after: (delayMs, task) => run(Math.max(0, delayMs) + lateMs(), task),
  };
  const wasStoppedSince = (sinceMs: number): boolean => !isAlive || thawMs >= sinceMs;
  return {
    name,
    clock,
    run,
    isAlive: () => isAlive,
    wasStoppedSince,
    /** Stopped, or cut off from PostgreSQL for a moment at least. */
    wasHarmedSince: (sinceMs: number): boolean => wasStoppedSince(sinceMs) || harmedMs >= sinceMs,
    harm: (): void => void (harmedMs = schedule.nowMs()),
    onDeath: (task: () => void): void => void mourners.push(task),
    kill: (): void => {
      if (!isAlive) return;
      isAlive = false;
      for (const mourn of mourners) mourn();
    },
    freeze: (ms: number): void => void (thawMs = schedule.nowMs() + ms),
    setWallAhead: (ms: number): void => void (aheadMs = ms),
  };
};
