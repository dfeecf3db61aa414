import type { Clock } from '#server/system.ts';
import { createRedisClock } from './redis-clock.ts';
import { toRedisProblem, type RedisProblem } from './redis-problem.ts';
import { unavailable, type Session } from './session.ts';
import { createSessionLoop, type SessionNews } from './session-loop.ts';
import { claimStore, type Site } from './site-claim.ts';
import { storeKey, type StoreAddress } from './store-address.ts';

/** A session can be used once every part has done its handshake; one that rejects ends it. */
export type Handshake = (session: Session, news: SessionNews) => Promise<void>;

/** What all nodes share, in a Redis or Valkey that may lose all of it at any moment. */
export type SharedStore = {
  /** To be called before `start`. */
  readonly onSession: (handshake: Handshake) => void;
  /** To notice losses that do not break the connection. A callback that rejects ends the session. */
  readonly everySecond: (keepUp: (session: Session) => Promise<void>) => void;
  /** Waits a few seconds for the first session, else rejects with a `RedisProblem`. */
  readonly start: () => Promise<void>;
  /** The name of a key, with the prefix of this site. */
  readonly key: (name: string) => string;
  /** The current session, or throws an `AppError`. Use it for a single decision only. */
  readonly session: () => Session;
  readonly send: Session['send'];
  readonly run: Session['run'];
  /** Our estimate of Redis's wall clock: never behind it, and ahead by no more than the fastest one-way trip. */
  readonly storeNowMs: () => number;
  /** Why it cannot be used now; null if it can. */
  readonly problem: () => string | null;
  readonly close: () => void;
};

export type SharedStoreEvents = {
  readonly sharedStoreCalled: (tookMs: number, outcome: 'answered' | 'failed') => void;
  /** Once, not with every attempt to get it back. */
  readonly sharedStoreLost: (problem: string) => void;
  readonly sharedStoreFound: () => void;
  /** A handshake failed, and neither Redis nor the network is to blame. */
  readonly sharedStoreFailed: (error: unknown) => void;
};

export type SharedStoreDeps = {
  readonly clock: Clock;
  readonly address: StoreAddress;
  readonly site: Site;
  readonly events: SharedStoreEvents;
};

const START_MS = 10_000;

export const createSharedStore = ({ clock, address, site, events }: SharedStoreDeps): SharedStore => {
  const redisClock = createRedisClock(clock);
  const handshakes: Handshake[] = [];
  const upkeep: ((session: Session) => Promise<void>)[] = [];
  const first = Promise.withResolvers<void>();
  let current: Session | null = null;
  let problem: RedisProblem | null = null;

  const loop = createSessionLoop({
    clock,
    address,
    redisClock,
    onCall: events.sharedStoreCalled,
    handshake: async (session, news) => {
      await claimStore(session, address, site);
      await Promise.all(handshakes.map((handshake) => handshake(session, news)));
    },
    everySecond: async (session) => {
      await claimStore(session, address, site);
      await Promise.all(upkeep.map((keepUp) => keepUp(session)));
    },
    onReady: (session) => {
      [current, problem] = [session, null];
      events.sharedStoreFound();
      first.resolve();
    },
    onLost: (found) => {
      if (current !== null) events.sharedStoreLost(describeProblem(found));
      [current, problem] = [null, found];
      if (found.isLasting) first.reject(found);
    },
    onFailed: events.sharedStoreFailed,
  });

  const close = (): void => {
    current = null;
    loop.stop();
  };

  const session = (): Session => {
    if (current === null) throw unavailable(problem);
    return current;
  };

  return {
    onSession: (handshake) => void handshakes.push(handshake),
    everySecond: (keepUp) => void upkeep.push(keepUp),
    start: async () => {
      void loop.run();
      const cancelDeadline = clock.after(START_MS, () => first.reject(problem ?? toRedisProblem(null)));
      await first.promise.catch((reason: unknown) => {
        close();
        throw reason;
      });
      cancelDeadline();
    },
    key: (name) => storeKey(address, name),
    session,
    send: async (...words) => session().send(...words),
    run: async (script, input) => session().run(script, input),
    storeNowMs: redisClock.nowMs,
    problem: () =>
      (problem && describeProblem(problem)) ??
      (current === null ? 'The shared store has not been reached yet' : null),
    close,
  };
};

/** With what the operator has to do, where waiting does not help. */
const describeProblem = ({ isLasting, message, finding }: RedisProblem): string =>
  isLasting ? message : finding;
