import type { Wait } from '#server/state/token-store.ts';
import type { CancelTimer, Clock } from '#server/system.ts';
import { createFairOrder, ticketsOf, type Ticket } from './fair-order.ts';

type LeaseQueueDeps<T> = {
  readonly clock: Clock;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  readonly take: () => Promise<T | null>;
  readonly release: (taken: T) => void;
  readonly nextChance: () => Wait;
  readonly isEmpty: () => boolean;
  readonly refusal: () => Error;
};

type Waiter<T> = {
  readonly sinceMs: number;
  readonly resolve: (taken: T) => void;
  readonly reject: (error: unknown) => void;
};

const NO_TICKET: Ticket = { network: 0, work: 1 };

export const createLeaseQueue = <T>(deps: LeaseQueueDeps<T>) => {
  const { clock, maxWaiting, maxWaitMs, take, release, nextChance, isEmpty, refusal } = deps;
  const waiters = createFairOrder<Waiter<T>>();
  let isServing = false;
  let servesAgain = false;
  let timerAtMs = Infinity;
  let cancelTimer: CancelTimer = () => {};

  const refuse = (waiter: Waiter<T>, error: unknown): void => {
    waiters.remove(waiter);
    waiter.reject(error);
  };

  const keepsWaiting = ({ sinceMs }: Waiter<T>): boolean => {
    const nowMs = clock.monotonicMs();
    const leftMs = sinceMs + maxWaitMs - nowMs;
    const { waitMs, mayBeSooner } = nextChance();
    if (leftMs <= 0 || (waitMs > leftMs && !mayBeSooner) || isEmpty()) return false;
    wakeAt(nowMs + Math.min(waitMs, leftMs));
    return true;
  };

  const serveWaiting = async (): Promise<void> => {
    while (waiters.size() > 0) {
      const taken = await take();
      // Those who waited may have left meanwhile.
      const waiter = taken === null ? waiters.oldest() : waiters.takeNext();
      if (taken === null) {
        if (waiter === undefined || keepsWaiting(waiter)) return;
        refuse(waiter, refusal());
      } else if (waiter === undefined) release(taken);
      else waiter.resolve(taken);
    }
  };

  const serveUntilIdle = async (): Promise<void> => {
    while (servesAgain && waiters.size() > 0) {
      servesAgain = false;
      try {
        await serveWaiting();
      } catch (error) {
        // The oldest gets the error; the others are tried by themselves.
        const waiter = waiters.oldest();
        if (waiter !== undefined) refuse(waiter, error);
        servesAgain = true;
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

  const refuseLast = (): void => {
    const last = waiters.last();
    if (last !== undefined) refuse(last, refusal());
  };

  const join = async (tickets = ticketsOf(NO_TICKET), signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    return new Promise<T>((resolve, reject) => {
      const waiter: Waiter<T> = { sinceMs: clock.monotonicMs(), resolve, reject };
      signal?.addEventListener('abort', () => refuse(waiter, signal.reason), { once: true });
      for (const ticket of tickets.all) waiters.add(waiter, ticket);
      tickets.onMore = (ticket) => {
        if (waiters.has(waiter)) waiters.add(waiter, ticket);
      };
      if (waiters.size() > maxWaiting) refuseLast();
      serve();
    });
  };

  /** 1 is halfway to refusing light users. Heavy ones do not count: they do not keep the others waiting. */
  const shortage = (): number => {
    const light = waiters.firstOfLightUsers();
    const longestMs = clock.monotonicMs() - Math.min(...light.map(({ sinceMs }) => sinceMs));
    return Math.min(1, 2 * Math.max(light.length / maxWaiting, longestMs / maxWaitMs));
  };

  return { join, serve, size: waiters.size, shortage };
};

/** From 0 to 1: sooner than anybody is refused for want of tokens. */
const RISE_MS = 2_000;
/** And back: a flood that comes and goes finds it still high. */
const FALL_MS = 120_000;
const LONGEST_RISE_MS = 1_000;

const nextScarcity = (before: number, shortage: number, elapsedMs: number): number =>
  shortage > before
    ? Math.min(shortage, before + Math.min(elapsedMs, LONGEST_RISE_MS) / RISE_MS)
    : Math.max(shortage, before - elapsedMs / FALL_MS);

export const createScarcity = (clock: Clock, shortage: () => number): (() => number) => {
  let scarcity = 0;
  let seenMs = clock.monotonicMs();
  return () => {
    const nowMs = clock.monotonicMs();
    scarcity = nextScarcity(scarcity, shortage(), nowMs - seenMs);
    seenMs = nowMs;
    return scarcity;
  };
};
