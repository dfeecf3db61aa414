import { sleep, type Clock, type Random } from '#server/system.ts';
import { MAX_LATE_MS, recordPatiently, type PlatformStore } from './platform-store.ts';
import {
  beginProbe,
  countInvalid,
  gateOf,
  INVALID_REQUEST_LIMIT,
  invalidFreeAt,
  settleStanding,
} from './standing.ts';
import type { Endpoint, PlatformAnswer } from './wire/platform-answer.ts';

export type GateDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: PlatformStore;
  readonly onDefect: (error: unknown) => void;
  readonly invalidRequestLimit?: number | undefined;
};

export type Slot = {
  /** When a request may leave, by the store's clock. */
  readonly atMs: number;
  /** It finds out for all if a ban is over. */
  readonly isProbe: boolean;
};

export type Grant = Slot & { readonly isBreakerProbe: boolean };

export type PlatformPause = {
  readonly cause: 'banned' | 'invalid-requests' | 'platform-failing';
  readonly waitMs: number;
};

/**
 * Lets requests through as pace, standing and breakers allow. If lookups fail, everything stops: nearly all requests are
 * lookups, so it probably concerns the whole platform.
 */
export const createGate = (deps: GateDeps) => {
  const { clock, random, store, onDefect, invalidRequestLimit: limit = INVALID_REQUEST_LIMIT } = deps;
  const breakers: Readonly<Record<Endpoint, ReturnType<typeof createBreaker>>> = {
    getUser: createBreaker(),
    getOwnUser: createBreaker(),
    getOwnApplication: createBreaker(),
    getInvite: createBreaker(),
    getGateway: createBreaker(),
  };
  let inFlight = 0;

  const breakerWaitMs = (endpoint: Endpoint): number =>
    Math.max(breakers.getUser.freeAtMs(), breakers[endpoint].freeAtMs()) - clock.monotonicMs();
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

  const waitMs = (endpoint: Endpoint): number =>
    Math.max(breakerWaitMs(endpoint), store.slotWaitMs(), standingGate(endpoint).atMs - store.nowMs());

  return {
    take: async (endpoint: Endpoint): Promise<Grant | null> => {
      if (waitMs(endpoint) > 0) return null;
      const isBreakerProbe = breakers[endpoint].sent();
      let slot: Slot | null = null;
      inFlight += 1;
      try {
        slot = await findSlot(endpoint);
      } finally {
        if (slot === null) {
          inFlight -= 1;
          breakers[endpoint].settled('not-sent', clock.monotonicMs(), isBreakerProbe);
        }
      }
      return slot && { ...slot, isBreakerProbe };
    },
    /** What leaves after its slot comes too close to what is sent after it, so it takes another slot. */
    awaitSlot: async (endpoint: Endpoint, grant: Grant, untilMs: number): Promise<Grant | null> => {
      let slot = grant;
      for (;;) {
        // Timers cut fractions off, and would be early.
        const delayMs = Math.ceil(Math.max(0, slot.atMs - store.nowMs()));
        if (clock.monotonicMs() + delayMs > untilMs) return null;
        if (delayMs > 0) await sleep(clock, delayMs);
        const lateMs = store.nowMs() - slot.atMs;
        if (lateMs >= 0 && lateMs <= MAX_LATE_MS) return slot;
        if (slot.isProbe) return null;
        const next = await findSlot(endpoint);
        if (next !== null) slot = { ...grant, ...next };
        else if (store.slotWaitMs() > 0) await sleep(clock, store.slotWaitMs());
        else return null;
      }
    },
    /** `answer` is null if nothing was sent after all. */
    record: (endpoint: Endpoint, grant: Grant, answer: PlatformAnswer<unknown> | null): Promise<void> => {
      const result = answer === null ? 'not-sent' : answer.kind === 'failed' ? 'failure' : 'success';
      breakers[endpoint].settled(result, clock.monotonicMs(), grant.isBreakerProbe);
      inFlight -= 1;
      const settled = { endpoint, isProbe: grant.isProbe, answer, nowMs: store.nowMs() };
      const work = async (): Promise<void> => {
        for (;;) {
          const standing = store.standing();
          const next = settleStanding(standing, settled, random);
          if (next === standing || (await store.write(standing, next))) return;
        }
      };
      return recordPatiently(clock, work, onDefect);
    },
    waitMs,
    pause: (endpoint: Endpoint = 'getUser'): PlatformPause | null => {
      const { atMs, cause } = standingGate(endpoint);
      const standingMs = atMs - store.nowMs();
      if (standingMs > 0) return { cause, waitMs: standingMs };
      const breakerMs = breakerWaitMs(endpoint);
      return breakerMs > 0 ? { cause: 'platform-failing', waitMs: breakerMs } : null;
    },
    inFlight: () => inFlight,
    /** Until fewer than half of the invalid requests that we allow ourselves are used up. */
    halfWaitMs: (): number => {
      const half = { limit: limit / 2, pending: inFlight };
      return invalidFreeAt(store.standing().invalid, store.nowMs(), half) - store.nowMs();
    },
    invalidRequests: () => countInvalid(store.standing().invalid, store.nowMs()),
  };
};

const FAILURES = 5;
const WITHIN_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

export const createBreaker = () => {
  let failures = 0;
  let firstFailureMs = 0;
  let pauseMs = FIRST_PAUSE_MS;
  /** When single requests may find out whether it is over; -Infinity while nothing is wrong. */
  let probeAtMs = -Infinity;
  let isProbing = false;

  const close = (): void => {
    probeAtMs = -Infinity;
    failures = 0;
    pauseMs = FIRST_PAUSE_MS;
  };

  const countFailure = (nowMs: number): void => {
    if (failures === 0 || nowMs - firstFailureMs > WITHIN_MS) {
      failures = 0;
      firstFailureMs = nowMs;
    }
    failures += 1;
    if (failures >= FAILURES) probeAtMs = nowMs + pauseMs;
  };

  const failProbe = (nowMs: number): void => {
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    probeAtMs = nowMs + pauseMs;
  };

  return {
    freeAtMs: () => (isProbing ? Infinity : probeAtMs),
    sent: (): boolean => {
      isProbing = probeAtMs > -Infinity;
      return isProbing;
    },
    /** Only the probe's own result settles the probe: what was sent before it tripped says nothing about now. */
    settled: (result: 'success' | 'failure' | 'not-sent', nowMs: number, isProbe: boolean): void => {
      if (isProbe) isProbing = false;
      else if (probeAtMs > -Infinity) return;
      if (result === 'success') close();
      else if (result === 'failure') (isProbe ? failProbe : countFailure)(nowMs);
    },
  };
};
