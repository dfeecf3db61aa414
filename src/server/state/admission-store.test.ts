import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createFakeSystem, type FakeSystem } from '#test/support/fake-system.ts';
import { createFakeTimeSession, passWithPools, useFakeTimePostgres } from '#test/support/fake-time-state.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import {
  CHALLENGE_MS,
  type Allowance,
  type AdmissionStore,
  type Counter,
  type LimitDecision,
  type SignedProof,
} from './admission-store.ts';
import { createMemoryAdmissionStore } from './memory-admission-store.ts';
import { createPostgresAdmissionStore } from './postgres/postgres-admission-store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STEPS = 5;

/** Two servers that share one memory. */
type Bench = {
  readonly servers: readonly [AdmissionStore, AdmissionStore];
  readonly system: FakeSystem;
  readonly pass: (ms: number) => Promise<void>;
};

const inMemory = async (): Promise<Bench> => {
  const system = createFakeSystem();
  const store = createMemoryAdmissionStore({ system });
  return { servers: [store, store], system, pass: system.advance };
};

const newDatabase = useFakeTimePostgres();
const inPostgres = async (): Promise<Bench> => {
  const url = await newDatabase();
  const system = createFakeSystem();
  const start = async () => {
    const { session, pool } = createFakeTimeSession(url, system);
    const options = { system, session, pool, home: 'here', connections: 2 };
    const store = createPostgresAdmissionStore(options);
    await session.start();
    return { store, pool };
  };
  const [one, other] = [await start(), await start()];
  const pass = async (ms: number): Promise<void> => {
    for (let step = 0; step < STEPS; step += 1) {
      // At once: while a message is under way, hardly any time goes by, and both servers know what time it is.
      system.stall(Math.max(0, ms / STEPS - 1));
      await passWithPools(system, [one.pool, other.pool], { ms: 1, stepMs: 1 });
    }
  };
  return { servers: [one.store, other.store], system, pass };
};

const hourly: Allowance = { count: 1, periodMs: HOUR, burst: 3 };
const once: Allowance = { count: 1, periodMs: 1_000 * HOUR, burst: 1 };
const counter = (name: string, ...allowances: [Allowance, ...Allowance[]]): Counter => ({
  key: hash('sha256', name).slice(0, 32),
  allowances,
});

const expectLike = (actual: LimitDecision, expected: LimitDecision): void => {
  expect(actual.allowed).toBe(expected.allowed);
  if (actual.allowed && expected.allowed) expect(actual.pressure).toBeCloseTo(expected.pressure, 2);
  if (!actual.allowed && !expected.allowed)
    expect(Math.abs(actual.retryAfterMs - expected.retryAfterMs)).toBeLessThan(100);
};

const KINDS = [
  { kind: 'memory', start: inMemory, missing: null },
  { kind: 'PostgreSQL', start: inPostgres, missing: POSTGRES_MISSING },
];

describe.each(KINDS)('in $kind', ({ start, missing }) => {
  const test = it.skipIf(missing !== null);

  test('visitors may come as often as the burst says, then once in an interval, at whichever server', async () => {
    const { servers, pass } = await start();
    const count = async (server: 0 | 1 = 0) => servers[server].count([counter('a', hourly)]);
    for (const pressure of [1 / 3, 2 / 3, 1]) expectLike(await count(), { allowed: true, pressure });
    for (const server of [0, 1, 0, 1] as const)
      expectLike(await count(server), { allowed: false, retryAfterMs: HOUR });
    await pass(40 * MINUTE);
    expectLike(await count(1), { allowed: false, retryAfterMs: 20 * MINUTE });
    await pass(21 * MINUTE);
    expectLike(await count(1), { allowed: true, pressure: 179 / 180 });
    expectLike(await count(), { allowed: false, retryAfterMs: 59 * MINUTE });
  });

  test('visitors are counted apart, by each of their allowances, and all of them must agree', async () => {
    const { servers } = await start();
    const [store] = servers;
    const both = [counter('narrow', hourly), counter('wide', { count: 1, periodMs: 10 * HOUR, burst: 2 })];
    expectLike(await store.count(both), { allowed: true, pressure: 1 / 2 });
    expectLike(await store.count(both), { allowed: true, pressure: 1 });
    expectLike(await store.count(both), { allowed: false, retryAfterMs: 10 * HOUR });
    expectLike(await store.count([counter('other', hourly, once)]), { allowed: true, pressure: 1 });
    expectLike(await store.count([counter('other', hourly, once)]), {
      allowed: false,
      retryAfterMs: 1_000 * HOUR,
    });
  });

  test('visitors who may not come do not count against the network that they share', async () => {
    const { servers } = await start();
    const wide = counter('wide', { ...hourly, burst: 5 });
    const attempts = Array.from({ length: 20 }, async (_, n) =>
      servers[n % 2 ? 1 : 0].count([counter('narrow', once), wide]),
    );
    expect((await Promise.all(attempts)).filter(({ allowed }) => allowed)).toHaveLength(1);
    expectLike(await servers[1].count([wide]), { allowed: true, pressure: 2 / 5 });
  });
});

const proofFor = ({ servers, system }: Bench, name: string, server: 0 | 1 = 0): SignedProof => {
  const key = servers[server].issuingKey(system.clock.wallMs() + CHALLENGE_MS);
  if (key === undefined) throw new Error('There is no key.');
  return { challengeId: hash('sha256', name), keyId: key.id };
};
const FREE = [counter('free', { count: 1e6, periodMs: 1_000, burst: 1e6 })];

describe.each(KINDS)('in $kind', ({ start, missing }) => {
  const test = it.skipIf(missing !== null);

  test('a proof is accepted once, of however many calls at once, at any server', async () => {
    const bench = await start();
    const proof = proofFor(bench, 'one');
    const calls = Array.from({ length: 50 }, () =>
      bench.servers.map(async (store) => store.redeem(FREE, proof)),
    );
    const outcomes = await Promise.all(calls.flat());
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'used')).toHaveLength(99);
  });

  test('a proof is only good with the key that signed it', async () => {
    const bench = await start();
    const expiresAtMs = bench.system.clock.wallMs() + CHALLENGE_MS;
    const [one, other] = bench.servers;
    const key = one.issuingKey(expiresAtMs);
    expect(other.keyOf(expiresAtMs)?.secret.export()).toEqual(key?.secret.export());
    expect(one.keyOf(expiresAtMs + 10 * HOUR)).toBeUndefined();
    const forged = { challengeId: hash('sha256', 'x'), keyId: 'feedfeedfeedfeed' };
    expect(await one.redeem(FREE, forged)).toBe('invalid');
  });
});
