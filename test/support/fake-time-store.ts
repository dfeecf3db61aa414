import { setImmediate as macrotask } from 'node:timers/promises';
import { defineRawScript, type RawScript } from '#server/storage/redis/script.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import { realSystem, type Clock } from '#server/system.ts';
import { createTestStore } from './shared-store.ts';
import type { FakeSystem } from './fake-system.ts';

export type FakeTimeStore = Pick<
  SharedStore,
  'key' | 'onSession' | 'session' | 'storeNowMs' | 'everySecond' | 'start'
> & {
  /** Resolves when every call that is under way has been answered; null if none is. */
  readonly answering: () => Promise<unknown> | null;
  /** What reaches the engine and comes back no more from now on, as if the node had been killed. */
  readonly kill: () => void;
  readonly [Symbol.dispose]: () => void;
};

const CLOCK_KEY = 'the-time-that-it-is';
const scripts = new Map<RawScript, RawScript>();

/** The same script, but for where it reads the time. */
const inFakeTime = <S extends RawScript>(script: S): S => {
  const fake =
    scripts.get(script) ??
    defineRawScript(
      script.lua.replaceAll("redis.call('TIME')", `cjson.decode(redis.call('GET', '${CLOCK_KEY}'))`),
    );
  scripts.set(script, fake);
  return { ...script, ...fake };
};

/** Looks at the engine seldom: on a busy machine it may take a while to answer, and is not what is tested here. */
const PATIENT: Clock = {
  ...realSystem.clock,
  after: (delayMs, task) => realSystem.clock.after(20 * delayMs, task),
};

/** A real engine and the real scripts, in the time of a test. */
export const createFakeTimeStore = (url: string, { clock }: FakeSystem): FakeTimeStore => {
  const store = createTestStore(url, PATIENT);
  const sessions = new WeakMap<Session, Session>();
  const underWay = new Set<Promise<unknown>>();
  let isDead = false;

  const note = <T>(call: Promise<T>): Promise<T> => {
    const forget = (): unknown => underWay.delete(call);
    underWay.add(call);
    call.then(forget, forget);
    return call;
  };
  const unlessDead = <T>(task: () => Promise<T>): Promise<T> =>
    isDead ? new Promise<T>(() => {}) : note(task());

  const wrap = (session: Session): Session => {
    const send: Session['send'] = (...words) => unlessDead(() => session.send(...words));
    const setTime = (): void => {
      const micros = Math.round(clock.wallMs() * 1_000);
      const time = [Math.floor(micros / 1e6), micros % 1e6];
      session.send('SET', CLOCK_KEY, JSON.stringify(time)).catch(() => {});
    };
    const call: Session['call'] = (script, keys, args) =>
      unlessDead(async () => {
        setTime();
        return session.call(inFakeTime(script), keys, args);
      });
    const run: Session['run'] = (script, input) =>
      unlessDead(async () => {
        setTime();
        return session.run(inFakeTime(script), input);
      });
    const wrapped = sessions.get(session) ?? { runId: session.runId, send, call, run };
    sessions.set(session, wrapped);
    return wrapped;
  };

  return {
    key: store.key,
    onSession: (greet) => store.onSession((session, news) => greet(wrap(session), news)),
    session: () => wrap(store.session()),
    everySecond: (keepUp) => {
      const beat = (): void => {
        clock.after(1_000, beat);
        (async () => keepUp(wrap(store.session())))().catch(() => {});
      };
      clock.after(1_000, beat);
    },
    storeNowMs: clock.wallMs,
    start: store.start,
    answering: () => (underWay.size === 0 ? null : Promise.allSettled(underWay)),
    kill: () => {
      isDead = true;
    },
    [Symbol.dispose]: store.close,
  };
};

/** Sleeps meanwhile: to look again and again would take the engine's share of the machine. */
const allAnswered = async (stores: readonly FakeTimeStore[]): Promise<void> => {
  for (;;) {
    const calls = stores.flatMap((store) => store.answering() ?? []);
    if (calls.length === 0) return;
    await Promise.all(calls);
    // An answer may lead to another call.
    await macrotask();
  }
};

/** Lets time go by in steps, and every call to the engine come back in between. */
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
