import { isUnavailable } from '#server/app-error.ts';
import { LEAVE_MS, TURN_MS } from '#server/deadlines.ts';
import { sleep } from '#server/system.ts';
import { createDiscordClient, type DiscordClient, type DiscordClientDeps } from './discord-client.ts';
import { createGate, type GateDeps, type Grant } from './gate.ts';
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

export type PlatformDeps = GateDeps & {
  readonly client: DiscordClient;
  readonly onAnswer: (outcome: PlatformOutcome, tookMs: number) => void;
};

const NO_ANSWER: PlatformAnswer<never> = { kind: 'failed', reason: 'network' };
const TOO_LATE: PlatformAnswer<never> = { kind: 'failed', reason: 'timeout' };

export const createPlatform = (deps: PlatformDeps) => {
  const { clock, client, onAnswer } = deps;
  const gate = createGate(deps);
  /** What a stop waits for. */
  const pending = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => pending.delete(tracked));
    pending.add(tracked);
    return tracked;
  };

  const permitOf = <E extends Endpoint>(endpoint: E, granted: Grant): Permit<E> => {
    const call = client[endpoint] as (...args: unknown[]) => Promise<PlatformAnswer<unknown>>;
    const untilMs = clock.monotonicMs() + LEAVE_MS;
    let slot = granted;
    let used = false;
    const useUp = (): void => {
      if (used) throw new TypeError('A permit is good for one request.');
      used = true;
    };
    const settle = (answer: PlatformAnswer<unknown> | null): void => {
      void track(gate.record(endpoint, slot, answer));
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
    const granted = await gate.take(endpoint);
    return granted && permitOf(endpoint, granted);
  };

  return {
    attempt,
    /** Null if there is no turn soon. */
    requestPermit: async <E extends Endpoint>(endpoint: E): Promise<Permit<E> | null> => {
      const deadlineMs = clock.monotonicMs() + TURN_MS;
      for (;;) {
        const permit = await attempt(endpoint);
        if (permit !== null) return permit;
        const chanceMs = gate.waitMs(endpoint);
        if (clock.monotonicMs() + chanceMs > deadlineMs) return null;
        await sleep(clock, chanceMs);
      }
    },
    waitMs: gate.waitMs,
    pause: gate.pause,
    inFlight: gate.inFlight,
    halfWaitMs: gate.halfWaitMs,
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
