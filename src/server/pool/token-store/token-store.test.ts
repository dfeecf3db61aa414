import { describe, expect, it, onTestFinished } from 'vitest';
import { testStanding } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createFakeTimeStore, passWithStores } from '#test/support/fake-time-store.ts';
import { testInBackground } from '#test/support/memory-pool.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { createRedisPermitStore } from '#server/platform/permit-store/redis-permit-store.ts';
import { NO_SUSPICION, type Suspicion } from '../rules/suspicion.ts';
import { draftOf, type TokenRecord } from '../rules/token-record.ts';
import { openMemoryTokenStore } from './memory-token-store.ts';
import { openRedisTokenStore } from './redis-token-store.ts';
import type { SuspicionChange, TakenToken, TokenPut, TokenStore } from './token-store.ts';

type Bench = { readonly store: TokenStore; readonly pass: (ms: number) => Promise<void> };

const inMemory = async (): Promise<Bench> => {
  const { clock, advance } = createFakeSystem();
  const store = openMemoryTokenStore(clock)(() => {});
  return { store, pass: advance };
};

const inRedis = async (): Promise<Bench> => {
  const system = createFakeSystem();
  const { clock, random } = system;
  const shared = createFakeTimeStore(await redisUrl(), system);
  onTestFinished(shared[Symbol.dispose]);
  const parts = { clock, random, store: shared, inBackground: testInBackground };
  const standing = testStanding(system);
  const { epoch } = createRedisPermitStore({ ...parts, standing, perSecond: 1e9 });
  const store = openRedisTokenStore({ ...parts, epoch, confirm: async () => {} })(() => {});
  await shared.start();
  const pass = (ms: number) => passWithStores(system, [shared], { ms, stepMs: Math.max(5, ms / 20) });
  await pass(1_050);
  return { store, pass };
};

/** A record that can be told from others. */
const record = (used: number): TokenRecord => ({ ...draftOf(null, 0), used });

const take = async ({ store }: Bench): Promise<TakenToken> => {
  const taken = await store.take();
  if (taken === null) throw new Error('There is no token.');
  return taken;
};

/** As after a request: the token is free again in so many milliseconds. */
const send = async (bench: Bench, taken: TakenToken, freeInMs: number, used = 1): Promise<void> => {
  const { id, epoch, record: old, takenMs } = taken;
  const next = record(used);
  const put: TokenPut = { id, epoch, old, next, freeAtMs: takenMs + freeInMs, because: 'send' };
  expect(await bench.store.put(put)).toEqual({ kind: 'put', isNewSuspect: false });
};

/** Sets a token aside, as an answer does that refuses it. */
const suspect = async (bench: Bench): Promise<string> => {
  const { id, epoch, record: old } = await take(bench);
  const put: TokenPut = { id, epoch, old, next: record(9), freeAtMs: 0, because: 'suspect' };
  expect(await bench.store.put(put)).toEqual({ kind: 'put', isNewSuspect: true });
  await change(bench, NO_SUSPICION, { kind: 'none' });
  return id;
};

const change = ({ store }: Bench, old: Suspicion, effect: SuspicionChange['effect'], next = old) =>
  store.changeSuspicion({ old, next, nextIfNone: NO_SUSPICION, effect });

describe.each([
  { kind: 'in memory', start: inMemory, missing: null },
  { kind: 'in Redis', start: inRedis, missing: REDIS_MISSING },
])('tokens $kind', ({ start, missing }) => {
  const test = it.skipIf(missing !== null);

  const startWith = async (...ids: string[]): Promise<Bench> => {
    const bench = await start();
    for (const id of ids) {
      bench.store.add(id);
      await bench.pass(50);
    }
    return bench;
  };

  test('are taken by one at a time, the longest free first, a new one before all others', async () => {
    const bench = await startWith('a', 'b');
    const first = await take(bench);
    const second = await take(bench);
    expect([first.id, second.id].toSorted()).toEqual(['a', 'b']);
    expect(await bench.store.take()).toBeNull();
    await bench.store.giveBack(second, 0);
    await bench.pass(10);
    await bench.store.giveBack(first, 0);
    bench.store.add('c');
    await bench.pass(50);
    expect([(await take(bench)).id, (await take(bench)).id]).toEqual(['c', second.id]);
  });

  test('that are given back for later are free then, and not before', async () => {
    const bench = await startWith('a');
    const taken = await take(bench);
    await bench.store.giveBack(taken, taken.takenMs + 1_000);
    expect(await bench.store.take()).toBeNull();
    await bench.pass(900);
    expect(await bench.store.take()).toBeNull();
    await bench.pass(150);
    // By however little: the rules would refuse it at once.
    await send(bench, await take(bench), 0.0005);
    expect(await bench.store.take()).toBeNull();
  });

  test('keep what was put, and show it to the next', async () => {
    const bench = await startWith('a');
    const taken = await take(bench);
    expect(taken.record).toBeNull();
    await send(bench, taken, 100, 7);
    await bench.pass(150);
    expect((await take(bench)).record).toEqual(record(7));
  });

  test('say how each is: healthy, also while it is in use, cooling or a suspect', async () => {
    const bench = await startWith('a', 'b', 'c');
    const suspected = await suspect(bench);
    const { id, epoch, record: old, takenMs } = await take(bench);
    const next = { ...record(1), coolUntilMs: takenMs + 60_000 };
    await bench.store.put({ id, epoch, old, next, freeAtMs: takenMs + 60_000, because: 'answer' });
    const inUse = await take(bench);
    const states = await bench.store.states();
    expect(states.get(suspected)).toEqual({ state: 'suspect', sinceMs: null });
    expect(states.get(id)).toEqual({ state: 'cooling', untilMs: takenMs + 60_000 });
    expect([states.size, states.get(inUse.id)]).toEqual([3, { state: 'healthy' }]);
  });

  test('are not overwritten by somebody who has not seen the last record', async () => {
    const bench = await startWith('a');
    const taken = await take(bench);
    await send(bench, taken, 100, 1);
    const late: TokenPut = {
      ...taken,
      old: null,
      next: record(2),
      freeAtMs: taken.takenMs,
      because: 'answer',
    };
    const met = await bench.store.put(late);
    expect(met).toEqual({ kind: 'changed', record: record(1) });
    if (met.kind !== 'changed') return;
    expect(await bench.store.put({ ...late, old: met.record })).toMatchObject({ kind: 'put' });
  });

  test('wait for an answer', async () => {
    const bench = await startWith('a');
    const taken = await take(bench);
    await send(bench, taken, Infinity);
    expect(await bench.store.take()).toBeNull();
    expect(bench.store.freeAtMs()).toBe(Infinity);
    const { record: old } = { record: record(1) };
    const answer = { ...taken, next: record(2), freeAtMs: taken.takenMs, because: 'answer' } as const;
    const met = await bench.store.put({ ...answer, old });
    const written = met.kind === 'changed' ? await bench.store.put({ ...answer, old: met.record }) : met;
    expect(written.kind).toBe('put');
    expect((await take(bench)).record).toEqual(record(2));
  });

  test('that are removed can neither be taken nor put', async () => {
    const bench = await startWith('a', 'b');
    const taken = await take(bench);
    await bench.store.remove('a');
    await bench.store.remove('b');
    const put: TokenPut = { ...taken, old: null, next: record(1), freeAtMs: 0, because: 'send' };
    expect(await bench.store.put(put)).toEqual({ kind: 'gone' });
    await bench.store.giveBack(taken, 0);
    expect(await bench.store.take()).toBeNull();
    await bench.pass(1_100);
    expect(bench.store.size()).toEqual({ tokens: 0, suspects: 0 });
  });

  test('are counted by how they are', async () => {
    const bench = await startWith('a', 'b', 'c');
    const taken = await take(bench);
    const rested = { ...record(1), coolUntilMs: taken.takenMs + 60_000 };
    await bench.store.put({
      ...taken,
      old: taken.record,
      next: rested,
      freeAtMs: rested.coolUntilMs,
      because: 'answer',
    });
    await suspect(bench);
    await bench.pass(1_100);
    expect(bench.store.counts()).toEqual({ healthy: 1, cooling: 1, suspect: 1 });
    expect(bench.store.size()).toEqual({ tokens: 3, suspects: 1 });
  });

  describe('under suspicion', () => {
    test('are not lent, and checked one at a time', async () => {
      const bench = await startWith('a', 'b');
      const ids = [await suspect(bench), await suspect(bench)];
      expect(await bench.store.take()).toBeNull();
      const checked = await bench.store.takeSuspect();
      expect(ids).toContain(checked?.id);
      expect(await bench.store.takeSuspect()).toBeNull();
      if (checked !== null) await bench.store.giveBackSuspect(checked);
      expect(await bench.store.takeSuspect()).not.toBeNull();
    });

    test.each([
      ['alive', { tokens: 1, suspects: 0 }, 'a'],
      ['unclear', { tokens: 1, suspects: 1 }, undefined],
      ['dead', { tokens: 0, suspects: 0 }, undefined],
    ] as const)('that prove %s are where they belong', async (verdict, size, lent) => {
      const bench = await startWith('a');
      const id = await suspect(bench);
      await bench.store.takeSuspect();
      const judged = await change(bench, NO_SUSPICION, {
        kind: verdict,
        id,
        freeAtMs: 0,
        coolUntilMs: 0,
      });
      expect(judged).toEqual({ wasSuspect: true });
      await bench.pass(1_100);
      expect(bench.store.size()).toEqual(size);
      expect((await bench.store.take())?.id).toBe(lent);
    });

    test('wait until the suspicion lets the next be checked', async () => {
      const bench = await startWith('a', 'b');
      await suspect(bench);
      const later = { ...NO_SUSPICION, nextMs: bench.store.nowMs() + 2_000 };
      await change(bench, NO_SUSPICION, { kind: 'none' }, later);
      expect(await bench.store.takeSuspect()).toBeNull();
      await bench.pass(2_100);
      expect(await bench.store.takeSuspect()).not.toBeNull();
    });

    test('are all that can be lent, if all are; and what others wrote is not overwritten', async () => {
      const bench = await startWith('a', 'b', 'c');
      await suspect(bench);
      const mass = { ...NO_SUSPICION, isMass: true };
      await change(bench, NO_SUSPICION, { kind: 'suspect-all' }, mass);
      expect(await bench.store.take()).toBeNull();
      await bench.pass(1_100);
      expect(bench.store.size()).toEqual({ tokens: 3, suspects: 3 });
      expect(await change(bench, { ...NO_SUSPICION, pauseMs: 1 }, { kind: 'none' })).toEqual({
        changed: mass,
      });
    });
  });
});
