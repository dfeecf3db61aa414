import { QUEUE_MS } from '#server/deadlines.ts';
import type { CancelTimer, Clock } from '#server/system.ts';
import { createFairOrder, ticketsOf, type Ticket } from './fair-order.ts';
import type { Wait } from './token-store.ts';

type LeaseQueueDeps<T> = {
  readonly clock: Clock;
  readonly take: () => Promise<T | null>;
  /** How long it takes until `take` may succeed. */
  readonly nextChance: () => Wait;
  readonly refusal: () => Error;
};

type Waiter<T> = {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly resolve: (taken: T) => void;
  readonly reject: (error: unknown) => void;
};

const MAX_WAITING = 200;
const NO_TICKET: Ticket = { network: 0, block: 0, work: 1 };

export const createLeaseQueue = <T extends { readonly release: () => void }>(deps: LeaseQueueDeps<T>) => {
  const { clock, take, nextChance, refusal } = deps;
  const waiters = createFairOrder<Waiter<T>>();
  let isServing = false;
  let servesAgain = false;
  let timerAtMs = Infinity;
  let cancelTimer: CancelTimer = () => {};

  const refuse = (waiter: Waiter<T> | undefined, error: unknown): void => {
    if (waiter === undefined || !waiters.has(waiter)) return;
    waiters.remove(waiter);
    waiter.reject(error);
  };

  const keepsWaiting = ({ untilMs }: Waiter<T>): boolean => {
    const { waitMs, mayBeSooner } = nextChance();
    const chanceMs = clock.monotonicMs() + waitMs;
    if (chanceMs > untilMs && !mayBeSooner) return false;
    wakeAt(Math.min(chanceMs, untilMs));
    return true;
  };

  const serveNext = async (): Promise<void> => {
    const taken = await take();
    // Those who waited may have left meanwhile.
    const waiter = taken === null ? waiters.oldest() : waiters.takeNext();
    if (taken === null && (waiter === undefined || keepsWaiting(waiter))) return;
    servesAgain = true;
    if (taken === null) refuse(waiter, refusal());
    else if (waiter === undefined) taken.release();
    else waiter.resolve(taken);
  };

  const serveAll = async (): Promise<void> => {
    while (servesAgain && waiters.size() > 0) {
      servesAgain = false;
      try {
        await serveNext();
      } catch (error) {
        // The oldest gets the error; the others are tried by themselves.
        refuse(waiters.oldest(), error);
        servesAgain = true;
      }
    }
    isServing = false;
  };

  const serve = (): void => {
    servesAgain = true;
    if (isServing) return;
    isServing = true;
    void serveAll();
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

  const join = async (
    tickets = ticketsOf(NO_TICKET),
    signal?: AbortSignal,
    deadlineMs = Infinity,
  ): Promise<T> => {
    signal?.throwIfAborted();
    return new Promise<T>((resolve, reject) => {
      const sinceMs = clock.monotonicMs();
      const untilMs = Math.min(sinceMs + QUEUE_MS, deadlineMs);
      const waiter: Waiter<T> = { sinceMs, untilMs, resolve, reject };
      for (const ticket of tickets.all) waiters.add(waiter, ticket);
      tickets.onMore = (ticket) => {
        if (waiters.has(waiter)) waiters.add(waiter, ticket);
      };
      signal?.addEventListener('abort', () => refuse(waiter, signal.reason), { once: true });
      // Whatever is asked meanwhile, and however slowly it answers.
      clock.after(untilMs - sinceMs, () => refuse(waiter, refusal()));
      if (waiters.size() > MAX_WAITING) refuse(waiters.last(), refusal());
      serve();
    });
  };

  /** 1 is halfway to refusing light users. Heavy ones do not count: they do not keep the others waiting. */
  const shortage = (): number => {
    const light = waiters.firstOfLightUsers();
    const longestMs = clock.monotonicMs() - Math.min(...light.map(({ sinceMs }) => sinceMs));
    return Math.min(1, 2 * Math.max(light.length / MAX_WAITING, longestMs / QUEUE_MS));
  };

  return { join, serve, size: waiters.size, shortage };
};

/** From 0 to 1: sooner than anybody is refused for want of tokens. */
const RISE_MS = 2_000;
/** And back: a flood that comes and goes finds it still high. */
const FALL_MS = 120_000;
const LONGEST_RISE_MS = 1_000;

export const createScarcity = (clock: Clock, shortage: () => number): (() => number) => {
  let scarcity = 0;
  let seenMs = clock.monotonicMs();
  return () => {
    const nowMs = clock.monotonicMs();
    const rise = Math.min(nowMs - seenMs, LONGEST_RISE_MS) / RISE_MS;
    const lowest = scarcity - (nowMs - seenMs) / FALL_MS;
    scarcity = Math.max(lowest, Math.min(shortage(), scarcity + rise));
    seenMs = nowMs;
    return scarcity;
  };
};
