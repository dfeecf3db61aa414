import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createFakeSystem, type FakeSystem } from '#test/support/fake-system.ts';
import { createFakeTimeSession, passWithPools, useFakeTimePostgres } from '#test/support/fake-time-state.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { createPostgresSpentProofs } from './postgres-spent-proofs.ts';
import { CHALLENGE_MS, createSpentProofs, type SignedProof, type SpentProofs } from './captcha.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Two servers that share one memory. */
type Bench = {
  readonly servers: readonly [SpentProofs, SpentProofs];
  readonly system: FakeSystem;
  readonly pass: (ms: number) => Promise<void>;
};

const inMemory = async (): Promise<Bench> => {
  const system = createFakeSystem();
  const proofs = createSpentProofs(system);
  return { servers: [proofs, proofs], system, pass: system.advance };
};

const newDatabase = useFakeTimePostgres();
const inPostgres = async (): Promise<Bench> => {
  const url = await newDatabase();
  const system = createFakeSystem();
  const start = async () => {
    const { session, pool } = createFakeTimeSession(url, system);
    const proofs = createPostgresSpentProofs(system, { session, home: 'here', proofPool: pool });
    await session.start();
    return { proofs, pool };
  };
  const [one, other] = [await start(), await start()];
  const pass = (ms: number) => passWithPools(system, [one.pool, other.pool], { ms, stepMs: 500 });
  return { servers: [one.proofs, other.proofs], system, pass };
};

const proofFor = ({ servers, system }: Bench, name: string): SignedProof => {
  const key = servers[0].issuingKey(system.clock.wallMs() + CHALLENGE_MS);
  if (key === undefined) throw new Error('There is no key.');
  return { challengeId: hash('sha256', name), keyId: key.id };
};

describe.each([
  { kind: 'memory', start: inMemory, missing: null },
  { kind: 'PostgreSQL', start: inPostgres, missing: POSTGRES_MISSING },
])('in $kind', ({ start, missing }) => {
  const test = it.skipIf(missing !== null);

  test('a proof is accepted once, of however many calls at once, at any server, as long as it is valid', async () => {
    const bench = await start();
    const proof = proofFor(bench, 'one');
    const calls = Array.from({ length: 50 }, () => bench.servers.map(async (proofs) => proofs.spend(proof)));
    const outcomes = await Promise.all(calls.flat());
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'used')).toHaveLength(99);
    await bench.pass(CHALLENGE_MS);
    expect(await bench.servers[1].spend(proof)).toBe('used');
  });

  test('a proof is only good with the key that signed it', async () => {
    const bench = await start();
    const expiresAtMs = bench.system.clock.wallMs() + CHALLENGE_MS;
    const [one, other] = bench.servers;
    const key = one.issuingKey(expiresAtMs);
    expect(other.keyOf(expiresAtMs)?.secret.export()).toEqual(key?.secret.export());
    expect(one.keyOf(expiresAtMs + 10 * HOUR)).toBeUndefined();
    const forged = { challengeId: hash('sha256', 'x'), keyId: 'feedfeedfeedfeed' };
    expect(await one.spend(forged)).toBe('invalid');
  });
});

it('a memory that is full drops nothing to make room, and has room again once proofs have expired', async () => {
  const system = createFakeSystem();
  const proofs = createSpentProofs(system, 100);
  const bench = { servers: [proofs, proofs], system, pass: system.advance } as const;
  const signed = Array.from({ length: 100 }, (_, n) => proofFor(bench, `${n}`));
  for (const proof of signed) expect(proofs.spend(proof)).toBe('accepted');
  expect(proofs.spend(proofFor(bench, 'one more'))).toBe('unavailable');
  for (const proof of signed) expect(proofs.spend(proof)).toBe('used');
  await system.advance(10 * MINUTE);
  expect(proofs.spend(proofFor(bench, 'one more'))).toBe('accepted');
});
