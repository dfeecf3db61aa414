import { describe, expect, it } from 'vitest';
import { NEW_STANDING, type Standing } from '#server/rules/standing.ts';
import { draftOf, type TokenRecord } from '#server/rules/token-rules.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createFakeTimeSession, passWithPools, useFakeTimePostgres } from '#test/support/fake-time-state.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { openMemoryTokenStore } from './memory-token-store.ts';
import { openPostgresTokenStore } from './postgres/postgres-token-store.ts';
import type { TokenRow, TokenStore, TokenWrite, View } from './token-store.ts';

type Bench = {
  readonly store: TokenStore;
  readonly pass: (ms: number) => Promise<void>;
  /** Puts tokens in, and lets everybody know. */
  readonly add: (...ids: string[]) => Promise<void>;
};

const benchOf = (store: TokenStore, pass: Bench['pass']): Bench => ({
  store,
  pass,
  add: async (...ids) => {
    for (const id of ids) {
      store.add(id);
      await store.read('free');
      await pass(20);
    }
    await pass(1_100);
  },
});

const inMemory = async (): Promise<Bench> => {
  const { clock, advance } = createFakeSystem();
  return benchOf(
    openMemoryTokenStore({ clock, perSecond: 1e9 })(() => {}),
    advance,
  );
};

const newDatabase = useFakeTimePostgres();
const inPostgres = async (): Promise<Bench> => {
  const system = createFakeSystem();
  const { session, pool } = createFakeTimeSession(await newDatabase(), system);
  const store = openPostgresTokenStore({ system, session, perSecond: 1e9 })(() => {});
  await session.start();
  const pass = (ms: number) => passWithPools(system, [pool], { ms, stepMs: Math.max(1, ms / 50) });
  return benchOf(store, pass);
};

/** A record that can be told from others. */
const record = (used: number): TokenRecord => ({ ...draftOf(null, 0), used });

/** The first token, and what it was read with. */
const first = async ({ store }: Bench, look: 'free' | 'suspects' = 'free') => {
  const view = await store.read(look);
  const row = view.tokens.find(({ freeAtMs }) => look === 'suspects' || freeAtMs <= view.nowMs);
  return { view, row };
};
const idOf = async (bench: Bench): Promise<string | undefined> => (await first(bench)).row?.id;

const write = (row: TokenRow, change: Partial<TokenWrite>): TokenWrite => ({
  row,
  record: record(1),
  freeAtMs: 0,
  place: 'in-use',
  ...change,
});

/** Sends with the first token that is free, which is free again at once. */
const send = async (bench: Bench): Promise<void> => {
  const { view, row } = await first(bench);
  if (row === undefined) throw new Error('There is no token.');
  const next = { ...record(1), inFlightMs: [view.nowMs] };
  const token = write(row, { record: next, freeAtMs: view.nowMs });
  expect(await bench.store.apply({ view, token, isSend: true })).not.toBeNull();
};

const change = async ({ store }: Bench, id: string, to: Partial<TokenWrite>) => {
  const view = await store.read({ id });
  const [row] = view.tokens;
  if (row === undefined) throw new Error('It is gone.');
  return store.apply({ view, token: write(row, to) });
};

describe.each([
  { kind: 'memory', start: inMemory, missing: null },
  { kind: 'PostgreSQL', start: inPostgres, missing: POSTGRES_MISSING },
])('in $kind', ({ start, missing }) => {
  const test = it.skipIf(missing !== null);
  const startWith = async (...ids: string[]): Promise<Bench> => {
    const bench = await start();
    await bench.add(...ids);
    return bench;
  };

  test('tokens are free in turn, a new one before all others', async () => {
    const bench = await startWith('a', 'b');
    await send(bench);
    await bench.pass(10);
    await send(bench);
    const [one, other] = [await idOf(bench), await send(bench).then(() => idOf(bench))];
    expect(new Set([one, other])).toEqual(new Set(['a', 'b']));
    bench.store.add('c');
    expect(await idOf(bench)).toBe('c');
  });

  test('tokens that are suspects are not free, and are found one after the other', async () => {
    const bench = await startWith('a', 'b');
    await change(bench, 'a', { place: 'suspect' });
    await bench.pass(10);
    await change(bench, 'b', { place: 'suspect' });
    await bench.pass(1_100);
    expect(await idOf(bench)).toBeUndefined();
    expect((await first(bench, 'suspects')).row).toMatchObject({ id: 'a', isSuspect: true });
    await change(bench, 'a', { place: 'gone' });
    expect((await first(bench, 'suspects')).row?.id).toBe('b');
    await change(bench, 'b', { place: 'in-use', freeAtMs: bench.store.nowMs() });
    expect(await idOf(bench)).toBe('b');
  });

  test('a token and the standing are written together, or not at all', async () => {
    const bench = await startWith('a');
    const { store } = bench;
    const standing: Standing = { ...NEW_STANDING, invalid: [{ startMs: 5, count: 2 }] };
    const view: View = await store.read({ id: 'a' });
    const [row] = view.tokens as [TokenRow];
    expect(await store.apply({ view, token: write(row, { record: record(3) }), standing })).not.toBeNull();
    const after = await store.read('free');
    expect(after.standings[0]).toEqual(standing);
    const token = write(after.tokens[0] as TokenRow, { record: record(4) });
    // It was decided on a standing that holds no longer.
    const stale = { ...after, standingVersion: view.standingVersion };
    expect(await store.apply({ view: stale, token, isSend: true })).toBeNull();
    expect(await store.apply({ view: stale, token, standing: NEW_STANDING })).toBeNull();
    expect((await store.read({ id: 'a' })).tokens[0]?.record).toEqual(record(3));
    expect(store.standings()[0]).toEqual(standing);
    expect(await store.apply({ view: after, token, isSend: true })).not.toBeNull();
  });
});
