import { hash } from 'node:crypto';
import { setImmediate as macrotask } from 'node:timers/promises';
import { createRedisClock, LEAP_MS } from '#server/storage/redis/redis-clock.ts';
import { CLOCK_TOLERANCE_MS } from '#server/storage/redis/redis-info.ts';
import type { Script } from '#server/storage/redis/script.ts';
import { unavailable, type Session } from '#server/storage/redis/session.ts';
import type { Handshake, SharedStore } from '#server/storage/redis/shared-store.ts';
import { realSystem, type Clock } from '#server/system.ts';
import { createTestStore } from './shared-store.ts';
import type { FakeSystem } from './fake-system.ts';

export type FakeTimeStore = Pick<
  SharedStore,
  'key' | 'onSession' | 'session' | 'storeNowMs' | 'everySecond' | 'start'
> & {
  /** Resolves when every call in flight has been answered; null if none is. */
  readonly answering: () => Promise<unknown> | null;
  /** Redis's clock leaps, for this node; the reaction of the real session is imitated on the test's clock. */
  readonly leap: (ms: number) => void;
  /** From now on nothing reaches Redis or comes back, as if the node had been killed. */
  readonly kill: () => void;
  readonly [Symbol.dispose]: () => void;
};

type AnyScript = Pick<Script<string, string, unknown>, 'lua' | 'sha' | 'isTimed'>;

/** The same script, except that it reads the test's time. */
const createFakeTimeScripts = (clockKey: string) => {
  const scripts = new Map<string, AnyScript>();
  return <S extends AnyScript>(script: S): S => {
    const readTime = `cjson.decode(redis.call('GET', '${clockKey}'))`;
    // That is also what a node expects.
    const lua = script.lua.replace("redis.call('TIME')", readTime).replace('table.remove(ARGV)', 'now');
    const fake = scripts.get(script.sha) ?? { lua, sha: hash('sha1', lua), isTimed: false };
    scripts.set(script.sha, fake);
    return { ...script, ...fake };
  };
};

const BEAT_MS = 200;

/** Rarely checks on Redis: a slow answer on a busy machine is not what is tested here. */
const PATIENT: Clock = {
  ...realSystem.clock,
  after: (delayMs, task) => realSystem.clock.after(20 * delayMs, task),
};

/** A real Redis and the real scripts, on the test's clock. */
export const createFakeTimeStore = (url: string, { clock }: FakeSystem): FakeTimeStore => {
  const store = createTestStore(url, PATIENT);
  const clockKey = store.key('test-time');
  const inFakeTime = createFakeTimeScripts(clockKey);
  const sessions = new WeakMap<Session, Session>();
  const inFlight = new Set<Promise<unknown>>();
  const redisClock = createRedisClock(clock);
  const handshakes: Handshake[] = [];
  let isDead = false;
  let isWrong = false;
  let aheadMs = 0;
  const redisMs = (): number => clock.wallMs() + aheadMs;
  const hear = () => redisClock.observe(redisMs(), clock.monotonicMs(), clock.monotonicMs());

  const note = <T>(call: Promise<T>): Promise<T> => {
    const forget = (): unknown => inFlight.delete(call);
    inFlight.add(call);
    call.then(forget, forget);
    return call;
  };
  const unlessDead = <T>(task: () => Promise<T>): Promise<T> =>
    isDead ? new Promise<T>(() => {}) : note(task());

  const wrap = (session: Session): Session => {
    const send: Session['send'] = (...words) => unlessDead(() => session.send(...words));
    const setTime = (): void => {
      const micros = Math.round(redisMs() * 1_000);
      const time = [Math.floor(micros / 1e6), micros % 1e6];
      session.send('SET', clockKey, JSON.stringify(time)).catch(() => {});
    };
    const run: Session['run'] = (script, input) =>
      unlessDead(async () => {
        if (isWrong || Math.abs(redisMs() - redisClock.nowMs()) > LEAP_MS) throw unavailable();
        setTime();
        return session.run(inFakeTime(script), input);
      });
    const wrapped = sessions.get(session) ?? { runId: session.runId, send, run };
    sessions.set(session, wrapped);
    return wrapped;
  };

  const session = (): Session => {
    if (isWrong) throw unavailable();
    return wrap(store.session());
  };
  const checkClock = async (): Promise<void> => {
    const wasWrong = isWrong;
    isWrong = Math.abs(aheadMs) > CLOCK_TOLERANCE_MS;
    if (isWrong) return;
    const clockLeapt = hear() === 'leapt';
    if (!wasWrong && !clockLeapt) return;
    for (const handshake of handshakes) await handshake(session(), { clockLeapt });
  };
  const beat = (): void => {
    clock.after(BEAT_MS, beat);
    checkClock().catch(() => {});
  };
  hear();
  beat();

  return {
    key: store.key,
    onSession: (handshake) => {
      handshakes.push(handshake);
      store.onSession((opened, news) => handshake(wrap(opened), news));
    },
    session,
    everySecond: (keepUp) => {
      const beat = (): void => {
        clock.after(1_000, beat);
        (async () => keepUp(session()))().catch(() => {});
      };
      clock.after(1_000, beat);
    },
    storeNowMs: redisClock.nowMs,
    leap: (ms) => {
      aheadMs += ms;
    },
    start: store.start,
    answering: () => (inFlight.size === 0 ? null : Promise.allSettled(inFlight)),
    kill: () => {
      isDead = true;
    },
    [Symbol.dispose]: store.close,
  };
};

/** Sleeps meanwhile: polling would take Redis's share of the machine. */
const allAnswered = async (stores: readonly FakeTimeStore[]): Promise<void> => {
  for (;;) {
    const calls = stores.flatMap((store) => store.answering() ?? []);
    if (calls.length === 0) return;
    await Promise.all(calls);
    // An answer may lead to another call.
    await macrotask();
  }
};

/** Lets time go by in steps, and every call to Redis come back in between. */
export const passWithStores = async (
  system: FakeSystem,
  stores: readonly FakeTimeStore[],
  { ms, stepMs = 5 }: { ms: number; stepMs?: number },
): Promise<void> => {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    await system.advance(stepMs);
    await allAnswered(stores);
    await macrotask();
  }
};
