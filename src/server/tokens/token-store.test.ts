import { describe, expect, it } from 'vitest';
import { createMemoryPlatformStore, type PlatformStore } from '#server/platform/platform-store.ts';
import { NEW_STANDING } from '#server/platform/standing.ts';
import { draftOf, type TokenRecord } from './token-rules.ts';
import { createMemoryTokenStore, type TokenRow, type TokenStore } from './token-store.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createFakeTimeSession, passWithPools, useFakeTimePostgres } from '#test/support/fake-time-state.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';

type Bench = {
  readonly store: TokenStore;
  readonly platform: PlatformStore;
  readonly pass: (ms: number) => Promise<void>;
};

const inMemory = async (): Promise<Bench> => {
  const { clock, advance: pass } = createFakeSystem();
  const store = createMemoryTokenStore(clock);
  return { store, platform: createMemoryPlatformStore(clock, 1e9), pass };
};

const newDatabase = useFakeTimePostgres();
const inPostgres = async (): Promise<Bench> => {
  const system = createFakeSystem();
  const { session, pool, storesAt } = createFakeTimeSession(await newDatabase(), system);
  const { platform, tokens: store } = storesAt(1e9);
  await session.start();
  const pass = (ms: number) => passWithPools(system, [pool], { ms, stepMs: Math.max(1, ms / 50) });
  return { store, platform, pass };
};

/** Puts tokens in, and lets everybody know. */
const add = async ({ store, pass }: Bench, ...ids: string[]): Promise<void> => {
  for (const id of ids) {
    store.add(id);
    await store.read('free');
    await pass(20);
  }
  await pass(1_100);
};

/** A record that can be told from others. */
const record = (used: number): TokenRecord => ({ ...draftOf(null, 0), used });

const first = async ({ store }: Bench): Promise<TokenRow | undefined> =>
  (await store.read('free')).find(({ freeAtMs }) => freeAtMs <= store.nowMs());
const suspects = async ({ store }: Bench, ...before: string[]): Promise<string[]> =>
  (await store.read({ suspectsAfter: before })).map(({ id }) => id);
const idOf = async (bench: Bench): Promise<string | undefined> => (await first(bench))?.id;

const to = (row: TokenRow, next: Partial<TokenRow>): TokenRow => ({
  ...row,
  record: record(1),
  freeAtMs: 0,
  ...next,
});

/** Uses the first token that is free, which is free again at once. */
const use = async (bench: Bench): Promise<void> => {
  const row = await first(bench);
  if (row === undefined) throw new Error('There is no token.');
  const nowMs = bench.store.nowMs();
  expect(await bench.store.write(row, to(row, { freeAtMs: nowMs }))).toBe(true);
};

const change = async ({ store }: Bench, id: string, next: Partial<TokenRow> | null): Promise<boolean> => {
  const [row] = await store.read({ id });
  if (row === undefined) throw new Error('It is gone.');
  return store.write(row, next && to(row, next));
};

describe.each([
  { kind: 'memory', start: inMemory, missing: null },
  { kind: 'PostgreSQL', start: inPostgres, missing: POSTGRES_MISSING },
])('in $kind', ({ start, missing }) => {
  const test = it.skipIf(missing !== null);
  const startWith = async (...ids: string[]): Promise<Bench> => {
    const bench = await start();
    await add(bench, ...ids);
    return bench;
  };

  test('tokens are free in turn, a new one before all others', async () => {
    const bench = await startWith('a', 'b');
    await use(bench);
    await bench.pass(10);
    await use(bench);
    const [one, other] = [await idOf(bench), await use(bench).then(() => idOf(bench))];
    expect(new Set([one, other])).toEqual(new Set(['a', 'b']));
    bench.store.add('c');
    expect(await idOf(bench)).toBe('c');
  });

  test('tokens that are suspects are not free, and are found one after the other', async () => {
    const bench = await startWith('a', 'b');
    await change(bench, 'a', { isSuspect: true });
    await bench.pass(10);
    await change(bench, 'b', { isSuspect: true });
    await bench.pass(1_100);
    expect(await idOf(bench)).toBeUndefined();
    expect((await suspects(bench))[0]).toBe('a');
    await change(bench, 'a', null);
    expect(await suspects(bench)).toEqual(['b']);
    await change(bench, 'b', { isSuspect: false, freeAtMs: bench.store.nowMs() });
    expect(await idOf(bench)).toBe('b');
  });

  test('what was decided on something else than what holds is not written', async () => {
    const bench = await startWith('a');
    const { store, platform } = bench;
    const [row] = (await store.read('free')) as [TokenRow];
    expect(await store.write(row, to(row, { record: record(3) }))).toBe(true);
    expect(await store.write(row, to(row, { record: record(4) }))).toBe(false);
    expect((await store.read({ id: 'a' }))[0]?.record).toEqual(record(3));

    const suspicion = store.suspicion();
    expect(await store.writeSuspicion(suspicion, { ...suspicion, nextMs: 5 })).toBe(true);
    expect(await store.writeSuspicion(suspicion, { ...suspicion, nextMs: 6 })).toBe(false);
    expect(store.suspicion().nextMs).toBe(5);

    const before = platform.standing();
    const standing = { ...NEW_STANDING, invalid: [{ startMs: 5, count: 2 }] };
    expect(await platform.write(before, standing)).toBe(true);
    expect(await platform.write(before, NEW_STANDING)).toBe(false);
    expect(await platform.takeSlot(before)).toBeNull();
    expect(platform.standing()).toEqual(standing);
    expect(await platform.takeSlot(platform.standing())).not.toBeNull();
  });

  test('of the suspects that can be checked those that are named come first', async () => {
    const bench = await startWith('a', 'b', 'c');
    const laterMs = bench.store.nowMs() + 60_000;
    for (const [id, freeAtMs] of Object.entries({ a: 5, b: 6, c: laterMs }))
      await change(bench, id, { isSuspect: true, freeAtMs });
    expect((await suspects(bench))[0]).toBe('a');
    expect((await suspects(bench, 'b', 'c')).slice(0, 2)).toEqual(['b', 'a']);
  });

  test('all tokens of one kind become suspects at once, but for those that wait for an answer', async () => {
    const bench = await startWith('a', 'b', 'c');
    await change(bench, 'a', {
      freeAtMs: Infinity,
      record: { ...record(1), inFlightMs: [bench.store.nowMs()] },
    });
    await bench.store.suspectAll(['c'], false);
    await bench.pass(1_100);
    expect(bench.store.counts()).toEqual({ healthy: 2, cooling: 0, suspect: 1 });
    expect(await suspects(bench)).toEqual(['b']);
    await bench.store.suspectAll(['c'], true);
    expect(await suspects(bench, 'c')).toEqual(['c', 'b']);
  });
});
