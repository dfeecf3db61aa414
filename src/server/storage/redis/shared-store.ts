import { sleep, keepAliveSleep, type Clock } from '#server/system.ts';
import { createRedisClock } from './redis-clock.ts';
import { toRedisProblem, type RedisProblem } from './redis-problem.ts';
import { unavailable, type Session } from './session.ts';
import { createSessionLife, type SessionNews } from './session-life.ts';
import type { StoreAddress } from './store-address.ts';

/** A session is of use only once every part has greeted it; one that rejects ends it. */
export type Handshake = (session: Session, news: SessionNews) => Promise<void>;

/** What all nodes know together, in a Redis or Valkey that may lose all of it at any moment. */
export type SharedStore = {
  /** To be called before `start`. */
  readonly onSession: (greet: Handshake) => void;
  /** To notice what was lost without the connection. One that rejects ends the session. */
  readonly everySecond: (keepUp: (session: Session) => Promise<void>) => void;
  /** Waits a few seconds for the first session, else rejects with a `RedisProblem`. */
  readonly start: () => Promise<void>;
  /** The name of a key, with the prefix of this site. */
  readonly key: (name: string) => string;
  /** The one of this moment, or throws an `AppError`. To be kept for as long as one decision takes. */
  readonly session: () => Session;
  readonly send: Session['send'];
  readonly call: Session['call'];
  /** Redis's wall clock: never behind it, ahead by the shortest way there at most. */
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
};

export type SharedStoreDeps = {
  readonly clock: Clock;
  readonly address: StoreAddress;
  readonly events: SharedStoreEvents;
};

const START_MS = 10_000;
const RETRY_STEP_MS = 50;
const MAX_RETRY_MS = 500;
/** One that greets and then falls silent would make every visitor wait for it. */
const SILENCES = 3;
const PAUSE_MS = 1_000;

export const createSharedStore = ({ clock, address, events }: SharedStoreDeps): SharedStore => {
  const redisClock = createRedisClock(clock);
  const greets: Handshake[] = [];
  const upkeep: ((session: Session) => Promise<void>)[] = [];
  const first = Promise.withResolvers<void>();
  let current: Session | null = null;
  let problem: RedisProblem | null = null;
  let hasStarted = false;
  let isClosed = false;
  let failures = 0;

  const life = createSessionLife({
    clock,
    address,
    redisClock,
    onCall: events.sharedStoreCalled,
    greet: (session, news) => Promise.all(greets.map((greet) => greet(session, news))),
    keepUp: (session) => Promise.all(upkeep.map((keepUp) => keepUp(session))),
    onReady: (session) => {
      [current, problem, failures, hasStarted] = [session, null, 0, true];
      events.sharedStoreFound();
      first.resolve();
    },
  });

  const lose = (found: RedisProblem): void => {
    if (current !== null && !isClosed) events.sharedStoreLost(found.finding);
    current = null;
    problem = found;
    if (!hasStarted && found.isLasting) first.reject(found);
  };

  const run = async (): Promise<void> => {
    lose(await life.live());
    failures += 1;
    const delayMs = life.silences() >= SILENCES ? PAUSE_MS : Math.min(failures * RETRY_STEP_MS, MAX_RETRY_MS);
    await (hasStarted ? sleep(clock, delayMs) : keepAliveSleep(delayMs));
    if (!isClosed) void run();
  };

  const close = (): void => {
    isClosed = true;
    life.end();
  };

  const session = (): Session => {
    if (current === null) throw unavailable(problem);
    return current;
  };

  return {
    onSession: (greet) => void greets.push(greet),
    everySecond: (keepUp) => void upkeep.push(keepUp),
    start: async () => {
      void run();
      const forgetDeadline = clock.after(START_MS, () => first.reject(problem ?? toRedisProblem(null)));
      await first.promise.catch((reason: unknown) => {
        close();
        throw reason;
      });
      forgetDeadline();
    },
    key: (name) => `${address.prefix}:${name}`,
    session,
    send: async (...words) => session().send(...words),
    call: async (script, keys, args) => session().call(script, keys, args),
    storeNowMs: redisClock.nowMs,
    problem: () =>
      problem?.finding ?? (current === null ? 'The shared store has not been reached yet' : null),
    close,
  };
};
