import { isUnavailable } from '#server/app-error.ts';
import { LEAVE_MS, TURN_MS } from '#server/deadlines.ts';
import { sleep } from '#server/system.ts';
import { createBreaker } from './breaker.ts';
import { createDiscordClient, type DiscordClient, type DiscordClientDeps } from './discord-client.ts';
import { createGate, type GateDeps, type Slot } from './gate.ts';
import { outcomeOf, type Endpoint, type PlatformAnswer } from './wire/platform-answer.ts';
import type { PlatformApi, PlatformOutcome } from './wire/platform-answer.ts';

/** The right to send one request. */
export type Permit<E extends Endpoint> = {
  /** When it may leave, or has left, by the store's clock. */
  readonly slotMs: () => number;
  readonly send: PlatformApi[E];
  readonly release: () => void;
};

export type Platform = ReturnType<typeof createPlatform>;

export type PlatformPause = {
  readonly cause: 'banned' | 'invalid-requests' | 'platform-failing';
  readonly waitMs: number;
};

export type PlatformDeps = GateDeps & {
  readonly client: DiscordClient;
  readonly onAnswer: (outcome: PlatformOutcome, tookMs: number) => void;
};

const NO_ANSWER: PlatformAnswer<never> = { kind: 'failed', reason: 'network' };
const TOO_LATE: PlatformAnswer<never> = { kind: 'failed', reason: 'timeout' };

/** If lookups fail, everything stops: nearly all requests are lookups, so it probably concerns the whole platform. */
export const createPlatform = (deps: PlatformDeps) => {
  const { clock, client, onAnswer } = deps;
  const gate = createGate(deps);
  const breakers: Readonly<Record<Endpoint, ReturnType<typeof createBreaker>>> = {
    getUser: createBreaker(),
    getOwnUser: createBreaker(),
    getOwnApplication: createBreaker(),
    getInvite: createBreaker(),
    getGateway: createBreaker(),
  };
  /** What a stop waits for. */
  const pending = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => pending.delete(tracked));
    pending.add(tracked);
    return tracked;
  };

  const breakerWaitMs = (endpoint: Endpoint): number =>
    Math.max(breakers.getUser.freeAtMs(), breakers[endpoint].freeAtMs()) - clock.monotonicMs();
  const waitMs = (endpoint: Endpoint): number => Math.max(breakerWaitMs(endpoint), gate.waitMs(endpoint));

  const settleBreaker = (endpoint: Endpoint, isProbe: boolean, answer: PlatformAnswer<unknown> | null) => {
    const result = answer === null ? 'not-sent' : answer.kind === 'failed' ? 'failure' : 'success';
    breakers[endpoint].settled(result, clock.monotonicMs(), isProbe);
  };

  const permitOf = <E extends Endpoint>(endpoint: E, granted: Slot, isBreakerProbe: boolean): Permit<E> => {
    const call = client[endpoint] as (...args: unknown[]) => Promise<PlatformAnswer<unknown>>;
    const untilMs = clock.monotonicMs() + LEAVE_MS;
    let slot = granted;
    let used = false;
    const useUp = (): void => {
      if (used) throw new TypeError('A permit is good for one request.');
      used = true;
    };
    const settle = (answer: PlatformAnswer<unknown> | null): void => {
      settleBreaker(endpoint, isBreakerProbe, answer);
      void track(gate.record(endpoint, slot.isProbe, answer));
    };
    const send = async (...args: unknown[]): Promise<PlatformAnswer<unknown>> => {
      useUp();
      const reached = await gate.awaitSlot(endpoint, slot, untilMs).catch(nullIfUnavailable);
      if (reached === null) {
        settle(null);
        return TOO_LATE;
      }
      slot = reached;
      const sentMs = clock.monotonicMs();
      let answer: PlatformAnswer<unknown> = NO_ANSWER;
      try {
        answer = await call(...args);
        return answer;
      } finally {
        settle(answer);
        onAnswer(outcomeOf(answer), clock.monotonicMs() - sentMs);
      }
    };
    return {
      slotMs: () => slot.atMs,
      send: ((...args: unknown[]) => track(send(...args))) as PlatformApi[E],
      release: () => {
        useUp();
        settle(null);
      },
    };
  };

  const attempt = async <E extends Endpoint>(endpoint: E): Promise<Permit<E> | null> => {
    if (waitMs(endpoint) > 0) return null;
    const isBreakerProbe = breakers[endpoint].sent();
    let slot: Slot | null = null;
    try {
      slot = await gate.take(endpoint);
    } finally {
      if (slot === null) settleBreaker(endpoint, isBreakerProbe, null);
    }
    return slot && permitOf(endpoint, slot, isBreakerProbe);
  };

  return {
    attempt,
    /** Null if there is no turn soon. */
    requestPermit: async <E extends Endpoint>(endpoint: E): Promise<Permit<E> | null> => {
      const deadlineMs = clock.monotonicMs() + TURN_MS;
      for (;;) {
        const permit = await attempt(endpoint);
        if (permit !== null) return permit;
        const chanceMs = waitMs(endpoint);
        if (clock.monotonicMs() + chanceMs > deadlineMs) return null;
        await sleep(clock, chanceMs);
      }
    },
    waitMs,
    pause: (endpoint: Endpoint = 'getUser'): PlatformPause | null => {
      const breakerMs = breakerWaitMs(endpoint);
      return (
        gate.pause(endpoint) ?? (breakerMs > 0 ? { cause: 'platform-failing', waitMs: breakerMs } : null)
      );
    },
    inFlight: gate.inFlight,
    invalidRequests: gate.invalidRequests,
    close: async (): Promise<void> => {
      while (pending.size > 0) await Promise.allSettled(pending);
      client.close();
    },
  };
};

const nullIfUnavailable = (error: unknown): null => {
  if (!isUnavailable(error)) throw error;
  return null;
};

export const connectPlatform = (deps: Omit<PlatformDeps, 'client'> & DiscordClientDeps): Platform =>
  createPlatform({ ...deps, client: createDiscordClient(deps) });
