import type { CancelTimer, Clock } from '#server/system.ts';
import { createRing } from './ring.ts';

export type LeaseQueueDeps<T> = {
  readonly clock: Clock;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  readonly take: () => Promise<T | null>;
  /** Whoever it was taken for has left, and nobody else waits. */
  readonly giveBack: (taken: T) => void;
  /** When `take` may succeed; Infinity if that hangs on something that will call `serve`. */
  readonly nextChanceMs: (nowMs: number) => number;
  /** True if there is nothing to wait for. */
  readonly isEmpty: () => boolean;
  readonly refusal: () => Error;
};

/** First come, first served; bounded in length and in age; one timer for all who wait. */
export type LeaseQueue<T> = {
  readonly join: (signal?: AbortSignal) => Promise<T>;
  /** Something changed: serve whom it can. */
  readonly serve: () => void;
  readonly size: () => number;
};

type Waiter<T> = {
  readonly deadlineMs: number;
  readonly resolve: (taken: T) => void;
  readonly reject: (error: unknown) => void;
  left: boolean;
};

export const createLeaseQueue = <T>(deps: LeaseQueueDeps<T>): LeaseQueue<T> => {
  const { clock, maxWaiting, maxWaitMs, take, giveBack, nextChanceMs, isEmpty, refusal } = deps;
  const waiters = createRing<Waiter<T>>();
  let waiting = 0;
  let serving = false;
  let askedAgain = false;
  let timerAtMs = Infinity;
  let cancelTimer: CancelTimer = () => {};

  const leave = (waiter: Waiter<T>): void => {
    if (waiter.left) return;
    waiter.left = true;
    waiting -= 1;
  };

  const head = (): Waiter<T> | undefined => {
    while (waiters.first()?.left === true) waiters.shift();
    return waiters.first();
  };

  /** Whether the one in front can still hope; if so, there will be another try in time. */
  const keepsWaiting = (waiter: Waiter<T>): boolean => {
    const nowMs = clock.monotonicMs();
    const chanceMs = nextChanceMs(nowMs);
    const tooLate = chanceMs !== Infinity && chanceMs > waiter.deadlineMs;
    if (nowMs >= waiter.deadlineMs || tooLate || isEmpty()) return false;
    wakeAt(Math.min(chanceMs, waiter.deadlineMs));
    return true;
  };

  const serveWaiting = async (): Promise<void> => {
    while (head() !== undefined) {
      const taken = await take();
      // Asked for again: whoever was in front may have left meanwhile.
      const first = head();
      if (first === undefined) {
        if (taken !== null) giveBack(taken);
        return;
      }
      if (taken === null && keepsWaiting(first)) return;
      leave(first);
      if (taken === null) first.reject(refusal());
      else first.resolve(taken);
    }
  };

  const serve = (): void => {
    askedAgain = true;
    if (serving) return;
    serving = true;
    void serveUntilQuiet();
  };

  const serveUntilQuiet = async (): Promise<void> => {
    while (askedAgain) {
      askedAgain = false;
      await serveWaiting().catch(failFirst);
    }
    serving = false;
  };

  const failFirst = (error: unknown): void => {
    const first = head();
    if (first === undefined) return;
    leave(first);
    first.reject(error);
    askedAgain = true;
  };

  const wakeAt = (atMs: number): void => {
    if (timerAtMs <= atMs) return;
    cancelTimer();
    timerAtMs = atMs;
    cancelTimer = clock.after(Math.max(0, Math.ceil(atMs - clock.monotonicMs())), () => {
      timerAtMs = Infinity;
      serve();
    });
  };

  const wait = (signal: AbortSignal | undefined): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const waiter: Waiter<T> = { deadlineMs: clock.monotonicMs() + maxWaitMs, resolve, reject, left: false };
      const abort = (): void => {
        leave(waiter);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      waiters.push(waiter);
      waiting += 1;
      serve();
    });

  const join = async (signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const taken = waiting === 0 ? await take() : null;
    if (taken !== null && signal?.aborted === true) giveBack(taken);
    signal?.throwIfAborted();
    if (taken !== null) return taken;
    if (waiting >= maxWaiting) throw refusal();
    return wait(signal);
  };

  return { join, serve, size: () => waiting };
};
