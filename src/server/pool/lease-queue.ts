import type { CancelTimer, Clock } from '#server/system.ts';
import { createRing } from './ring.ts';

export type LeaseQueueDeps<T> = {
  readonly clock: Clock;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  readonly take: () => T | undefined;
  /** When `take` may succeed; Infinity if that hangs on something that will call `serve`. */
  readonly nextChanceMs: (nowMs: number) => number;
  /** True if waiting makes no sense at all. */
  readonly isHopeless: () => boolean;
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
  readonly reject: (error: Error) => void;
  left: boolean;
};

export const createLeaseQueue = <T>(deps: LeaseQueueDeps<T>): LeaseQueue<T> => {
  const { clock, maxWaiting, maxWaitMs, take, nextChanceMs, isHopeless, refusal } = deps;
  const waiters = createRing<Waiter<T>>();
  let waiting = 0;
  let timerAtMs = Infinity;
  let cancelTimer: CancelTimer = () => {};

  const leave = (waiter: Waiter<T>): void => {
    if (waiter.left) return;
    waiter.left = true;
    waiting -= 1;
  };

  /** True if the head of the queue was dealt with, so that the next in line may be looked at. */
  const serveHead = (head: Waiter<T>, nowMs: number): boolean => {
    if (head.left) return true;
    const taken = take();
    if (taken !== undefined) {
      leave(head);
      head.resolve(taken);
      return true;
    }
    const chanceMs = nextChanceMs(nowMs);
    const tooLate = chanceMs !== Infinity && chanceMs > head.deadlineMs;
    if (nowMs < head.deadlineMs && !tooLate && !isHopeless()) {
      wakeAt(Math.min(chanceMs, head.deadlineMs));
      return false;
    }
    leave(head);
    head.reject(refusal());
    return true;
  };

  const serve = (): void => {
    const nowMs = clock.monotonicMs();
    for (let head = waiters.first(); head !== undefined; head = waiters.first()) {
      if (!serveHead(head, nowMs)) return;
      waiters.shift();
    }
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

  const join = async (signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const taken = waiting === 0 ? take() : undefined;
    if (taken !== undefined) return taken;
    if (waiting >= maxWaiting) throw refusal();
    return new Promise<T>((resolve, reject) => {
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
  };

  return { join, serve, size: () => waiting };
};
