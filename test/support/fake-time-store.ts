import { hash } from 'node:crypto';
import { setImmediate as macrotask } from 'node:timers/promises';
import type { Script } from '#server/storage/redis/script.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import { realSystem, type Clock } from '#server/system.ts';
import { createTestStore } from './shared-store.ts';
import type { FakeSystem } from './fake-system.ts';

export type FakeTimeStore = Pick<
  SharedStore,
  'key' | 'onSession' | 'session' | 'storeNowMs' | 'everySecond' | 'start'
> & {
  /** Resolves when every call in flight has been answered; null if none is. */
  readonly answering: () => Promise<unknown> | null;
  /** From now on nothing reaches Redis and nothing comes back, as if the node had been killed. */
  readonly kill: () => void;
  readonly [Symbol.dispose]: () => void;
};

type AnyScript = Pick<Script<string, string, unknown>, 'lua' | 'sha'>;

/** The same script, but for where it reads the time. */
const createFakeTimeScripts = (clockKey: string) => {
  const scripts = new Map<string, Pick<AnyScript, 'lua' | 'sha'>>();
  return <S extends AnyScript>(script: S): S => {
    const readTime = `cjson.decode(redis.call('GET', '${clockKey}'))`;
    const lua = script.lua.replaceAll("redis.call('TIME')", readTime);
    const fake = scripts.get(script.sha) ?? { lua, sha: hash('sha1', lua) };
    scripts.set(script.sha, fake);
    return { ...script, ...fake };
  };
};

/** Rarely checks on Redis: on a busy machine it may take a while to answer, and that is not what is tested here. */
const PATIENT: Clock = {
  ...realSystem.clock,
  after: (delayMs, task) => realSystem.clock.after(20 * delayMs, task),
};

/** A real Redis and the real scripts, in the time of a test. */
export const createFakeTimeStore = (url: string, { clock }: FakeSystem): FakeTimeStore => {
  const store = createTestStore(url, PATIENT);
  const clockKey = store.key('test-time');
  const inFakeTime = createFakeTimeScripts(clockKey);
  const sessions = new WeakMap<Session, Session>();
  const inFlight = new Set<Promise<unknown>>();
  let isDead = false;

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
      const micros = Math.round(clock.wallMs() * 1_000);
      const time = [Math.floor(micros / 1e6), micros % 1e6];
      session.send('SET', clockKey, JSON.stringify(time)).catch(() => {});
    };
    const run: Session['run'] = (script, input) =>
      unlessDead(async () => {
        setTime();
        return session.run(inFakeTime(script), input);
      });
    const wrapped = sessions.get(session) ?? { runId: session.runId, send, run };
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
