import type { CancelTimer, Clock } from '#server/system.ts';

export type LeaseQueueDeps<T> = {
  readonly clock: Clock;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  readonly take: () => Promise<T | null>;
  /** The waiter it was taken for has left, and nobody else waits. */
  readonly giveBack: (taken: T) => void;
  /** When `take` may succeed; Infinity if that depends on something that will call `serve`. */
  readonly nextChanceMs: (nowMs: number) => number;
  /** True if there is nothing to wait for. */
  readonly isEmpty: () => boolean;
  readonly refusal: () => Error;
};

/** First come, first served; bounded in length and in age; one timer for all who wait. */
export type LeaseQueue<T> = {
  readonly join: (signal?: AbortSignal) => Promise<T>;
  /** Something changed: serve as many as possible. */
  readonly serve: () => void;
  readonly size: () => number;
};

type Waiter<T> = {
  readonly deadlineMs: number;
  readonly resolve: (taken: T) => void;
  readonly reject: (error: unknown) => void;
};

export const createLeaseQueue = <T>(deps: LeaseQueueDeps<T>): LeaseQueue<T> => {
  const { clock, maxWaiting, maxWaitMs, take, giveBack, nextChanceMs, isEmpty, refusal } = deps;
  const waiters = new Set<Waiter<T>>();
  let isServing = false;
  let servesAgain = false;
  let timerAtMs = Infinity;
  let cancelTimer: CancelTimer = () => {};

  const first = (): Waiter<T> | undefined => waiters.values().next().value;

  /** Whether the first can still be served in time; if so, there will be another try. */
  const keepsWaiting = ({ deadlineMs }: Waiter<T>): boolean => {
    const nowMs = clock.monotonicMs();
    const chanceMs = nextChanceMs(nowMs);
    const isTooLate = chanceMs !== Infinity && chanceMs > deadlineMs;
    if (nowMs >= deadlineMs || isTooLate || isEmpty()) return false;
    wakeAt(Math.min(chanceMs, deadlineMs));
    return true;
  };

  const serveWaiting = async (): Promise<void> => {
    while (waiters.size > 0) {
      const taken = await take();
      // Looked up again: the one who was first may have left meanwhile.
      const waiter = first();
      if (waiter === undefined) {
        if (taken !== null) giveBack(taken);
        return;
      }
      if (taken === null && keepsWaiting(waiter)) return;
      waiters.delete(waiter);
      if (taken === null) waiter.reject(refusal());
      else waiter.resolve(taken);
    }
  };

  const serveUntilIdle = async (): Promise<void> => {
    while (servesAgain) {
      servesAgain = false;
      try {
        await serveWaiting();
      } catch (error) {
        // The visitor is told; the others are tried by themselves.
        const waiter = first();
        if (waiter !== undefined) waiters.delete(waiter);
        waiter?.reject(error);
        servesAgain = waiters.size > 0;
      }
    }
    isServing = false;
  };

  const serve = (): void => {
    servesAgain = true;
    if (isServing) return;
    isServing = true;
    void serveUntilIdle();
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
      const waiter: Waiter<T> = { deadlineMs: clock.monotonicMs() + maxWaitMs, resolve, reject };
      const leave = (): void => {
        waiters.delete(waiter);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiters.add(waiter);
      serve();
    });

  const join = async (signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const taken = waiters.size === 0 ? await take() : null;
    if (taken !== null && signal?.aborted === true) giveBack(taken);
    signal?.throwIfAborted();
    if (taken !== null) return taken;
    if (waiters.size >= maxWaiting) throw refusal();
    return wait(signal);
  };

  return { join, serve, size: () => waiters.size };
};
