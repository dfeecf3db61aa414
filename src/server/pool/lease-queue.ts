import type { Wait } from '#server/state/token-store.ts';
import type { CancelTimer, Clock } from '#server/system.ts';
import { createFairOrder, ticketsOf, type Ticket, type Tickets } from './fair-order.ts';

export type LeaseQueueDeps<T> = {
  readonly clock: Clock;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  readonly take: () => Promise<T | null>;
  /** The waiter it was taken for has left, and nobody else waits. */
  readonly release: (taken: T) => void;
  /** When `take` may succeed. */
  readonly nextChance: () => Wait;
  /** True if there is nothing to wait for. */
  readonly isEmpty: () => boolean;
  readonly refusal: () => Error;
};

type Waiter<T> = {
  readonly sinceMs: number;
  readonly resolve: (taken: T) => void;
  readonly reject: (error: unknown) => void;
};

/** For those who come without a ticket. */
const NO_TICKET: Ticket = { network: 0, work: 1 };

/** Fair between networks; bounded in length and in age; one timer for all who wait. */
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

  /** Whether the oldest can still be served in time; if so, there will be another try. */
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
    while (servesAgain) {
      servesAgain = false;
      try {
        await serveWaiting();
      } catch (error) {
        // The oldest gets the error; the others are tried by themselves.
        const waiter = waiters.oldest();
        if (waiter !== undefined) refuse(waiter, error);
        servesAgain = waiters.size() > 0;
      }
    }
    isServing = false;
  };

  /** Something has changed: serves as many as possible. */
  const serve = (): void => {
    servesAgain = waiters.size() > 0;
    if (isServing || !servesAgain) return;
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

  const wait = (tickets: Tickets, signal: AbortSignal | undefined, arrival: number): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const waiter: Waiter<T> = { sinceMs: clock.monotonicMs(), resolve, reject };
      signal?.addEventListener('abort', () => refuse(waiter, signal.reason), { once: true });
      for (const ticket of tickets.all) waiters.add(waiter, ticket, arrival);
      tickets.onMore = (ticket) => {
        if (waiters.has(waiter)) waiters.add(waiter, ticket);
      };
      if (waiters.size() > maxWaiting) refuseLast();
      serve();
    });

  /** The usual case: nobody waits, and there is something to take. */
  const takeAtOnce = async (): Promise<T | null> => {
    isServing = true;
    try {
      return await take();
    } finally {
      isServing = false;
    }
  };

  const join = async (tickets = ticketsOf(NO_TICKET), signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const arrival = waiters.arrive();
    const taken = isServing || waiters.size() > 0 ? null : await takeAtOnce();
    // Others may have come meanwhile.
    if (waiters.size() > 0) serve();
    if (taken !== null && signal?.aborted === true) release(taken);
    signal?.throwIfAborted();
    return taken ?? wait(tickets, signal, arrival);
  };

  /**
   * From 0 to 1: how near the queue is to refusing networks that ask for little, 1 from halfway on. Those that ask for
   * much do not count, because they do not keep the others waiting.
   */
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
/** Of the time since the last look, no more than this is taken to have been like now. */
const LONGEST_RISE_MS = 1_000;

/** Follows the shortage (0..1), up quickly and down slowly. */
const nextScarcity = (before: number, shortage: number, elapsedMs: number): number =>
  shortage > before
    ? Math.min(shortage, before + Math.min(elapsedMs, LONGEST_RISE_MS) / RISE_MS)
    : Math.max(shortage, before - elapsedMs / FALL_MS);

/** How scarce tokens have been of late, 0..1, as far as this process can see. */
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
