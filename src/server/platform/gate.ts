import { isUnavailable } from '#server/app-error.ts';
import { FLIGHT_MS } from '#server/deadlines.ts';
import { sleep, type Clock, type Random } from '#server/system.ts';
import { MAX_LATE_MS, type PlatformStore } from './platform-store.ts';
import { beginProbe, countInvalid, gateOf, INVALID_REQUEST_LIMIT, settleStanding } from './standing.ts';
import type { Endpoint, PlatformAnswer } from './wire/platform-answer.ts';

export type GateDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: PlatformStore;
  readonly onDefect: (error: unknown) => void;
  readonly invalidRequestLimit?: number | undefined;
};

/** When a request may leave, by the store's clock, and whether it finds out for all if a ban is over. */
export type Slot = { readonly atMs: number; readonly isProbe: boolean };

const RECORD_AGAIN_MS = 250;

/** Lets requests through as the pace and our standing allow. */
export const createGate = (deps: GateDeps) => {
  const { clock, random, store, onDefect, invalidRequestLimit: limit = INVALID_REQUEST_LIMIT } = deps;
  let inFlight = 0;

  const standingGate = (endpoint: Endpoint, pending = inFlight) =>
    gateOf(store.standing(), endpoint, { nowMs: store.nowMs(), inFlight: pending, limit });

  /** For one that counts as in flight already. Null if none may leave now. */
  const findSlot = async (endpoint: Endpoint): Promise<Slot | null> => {
    while (standingGate(endpoint, inFlight - 1).atMs <= store.nowMs()) {
      const standing = store.standing();
      const atMs = await store.takeSlot(standing);
      if (atMs === null && store.slotWaitMs() > 0) return null;
      const probing = beginProbe(standing, endpoint, store.nowMs());
      const isProbe = probing !== standing;
      if (atMs !== null && (!isProbe || (await store.write(standing, probing)))) return { atMs, isProbe };
    }
    return null;
  };

  return {
    take: async (endpoint: Endpoint): Promise<Slot | null> => {
      let slot: Slot | null = null;
      inFlight += 1;
      try {
        slot = await findSlot(endpoint);
        return slot;
      } finally {
        if (slot === null) inFlight -= 1;
      }
    },
    /** What leaves after its slot comes too close to what is sent after it, so it takes another slot. */
    awaitSlot: async (endpoint: Endpoint, first: Slot, untilMs: number): Promise<Slot | null> => {
      let slot: Slot = first;
      for (;;) {
        // Timers cut fractions off, and would be early.
        const delayMs = Math.ceil(Math.max(0, slot.atMs - store.nowMs()));
        if (clock.monotonicMs() + delayMs > untilMs) return null;
        if (delayMs > 0) await sleep(clock, delayMs);
        const lateMs = store.nowMs() - slot.atMs;
        if (lateMs >= 0 && lateMs <= MAX_LATE_MS) return slot;
        if (slot.isProbe) return null;
        const next = await findSlot(endpoint);
        if (next !== null) slot = next;
        else if (store.slotWaitMs() > 0) await sleep(clock, store.slotWaitMs());
        else return null;
      }
    },
    /** `answer` is null if nothing was sent after all. */
    record: (endpoint: Endpoint, isProbe: boolean, answer: PlatformAnswer<unknown> | null): Promise<void> => {
      inFlight -= 1;
      const settled = { endpoint, isProbe, answer, nowMs: store.nowMs() };
      const work = async (): Promise<void> => {
        for (;;) {
          const standing = store.standing();
          const next = settleStanding(standing, settled, random);
          if (next === standing || (await store.write(standing, next))) return;
        }
      };
      return recordPatiently(clock, work, onDefect);
    },
    waitMs: (endpoint: Endpoint): number =>
      Math.max(store.slotWaitMs(), standingGate(endpoint).atMs - store.nowMs()),
    pause: (endpoint: Endpoint) => {
      const { atMs, cause } = standingGate(endpoint);
      const waitMs = atMs - store.nowMs();
      return waitMs > 0 ? { cause, waitMs } : null;
    },
    inFlight: () => inFlight,
    invalidRequests: () => countInvalid(store.standing().invalid, store.nowMs()),
  };
};

/** PostgreSQL may be out of reach when an answer comes: as long as the request counts as in flight, there is time. */
export const recordPatiently = async (
  clock: Clock,
  record: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<void> => {
  const deadlineMs = clock.monotonicMs() + FLIGHT_MS;
  for (;;) {
    try {
      return await record();
    } catch (error) {
      if (!isUnavailable(error)) return onFailure(error);
      if (clock.monotonicMs() > deadlineMs) return;
      await sleep(clock, RECORD_AGAIN_MS);
    }
  }
};
