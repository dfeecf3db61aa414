import { describe, expect, it, vi } from 'vitest';
import { connectRedis } from '#server/storage/redis/redis-connection.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { Handshake, SharedStore } from '#server/storage/redis/shared-store.ts';
import type { VerifiedProof } from '#server/captcha/proof-verifier.ts';
import { realSystem, type System } from '#server/system.ts';
import { createRedisVisitorCounters } from '#server/visitors/redis-visitor-counters.ts';
import type { LimitedEvent } from '#server/visitors/visitor-counters.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { createTestStore, startTestStore, storeAddress, type TestStore } from '#test/support/shared-store.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createRedisSpentProofs } from './redis-spent-proofs.ts';

const TTL_MS = 300_000;
const UNLIMITED: LimitedEvent = {
  limit: 'unlimited',
  key: Buffer.alloc(16),
  allowance: { count: 1, periodMs: 3_600_000, burst: 1e6 },
};

/** `change` stands between the node and its store. */
const addNode = async (
  store: TestStore,
  { system = realSystem, change = {} }: { system?: System; change?: Partial<SharedStore> } = {},
) => {
  const counters = createRedisVisitorCounters(system.clock, store);
  const { signingKey, spend } = createRedisSpentProofs(system, { ...store, ...change }, counters);
  await store.start();
  let proofs = 0;
  const freshProof = (): VerifiedProof => {
    proofs += 1;
    return { challengeId: `${proofs}`, ttlMs: TTL_MS, key: signingKey() };
  };
  return { freshProof, spend: (proof: VerifiedProof) => spend(proof, [UNLIMITED]) };
};

describe.skipIf(REDIS_MISSING !== null)('proofs spent in Redis', () => {
  it('are remembered a minute longer than they are good, and the key for as long as it is used', async () => {
    using store = createTestStore(await redisUrl());
    const { spend, freshProof } = await addNode(store);
    await spend(freshProof());
    const [spent] = (await store.send('KEYS', store.key('s:*'))) as string[];
    const leftMs = Number(await store.send('PTTL', spent ?? ''));
    expect(leftMs).toBeGreaterThan(TTL_MS + 50_000);
    expect(leftMs).toBeLessThanOrEqual(TTL_MS + 60_000);
    const name = store.key(`key:${store.session().runId}`);
    await store.send('EXPIRE', name, '100');
    await vi.waitFor(async () => expect(await store.send('TTL', name)).toBeGreaterThan(100), EVENTUALLY);
  });

  it('are not accepted again after FLUSHALL, and new ones are, at every node', async () => {
    await using server = await startRedisServer();
    using first = createTestStore(server.url);
    using second = createTestStore(server.url);
    const [one, other] = [await addNode(first), await addNode(second)];
    const proof = one.freshProof();
    const unspent = one.freshProof();
    expect(await one.spend(proof)).toBe('accepted');
    await first.send('FLUSHALL');
    expect(await one.spend(proof)).toBe('invalid');
    expect(await other.spend(unspent)).toBe('invalid');
    await vi.waitFor(async () => expect(await other.spend(one.freshProof())).toBe('accepted'), EVENTUALLY);
    expect(await one.spend(proof)).toBe('invalid');
  });

  it.each([
    ['nothing', []],
    ['everything', ['--appendonly', 'yes', '--appendfsync', 'always']],
  ])('are not accepted again by a Redis that comes back with %s', async (_, settings) => {
    using folder = temporaryFolder();
    const port = await freePort();
    const server = await startRedisServer({ port, settings, folder: folder.path });
    using store = createTestStore(server.url);
    const { spend, freshProof } = await addNode(store);
    const spent = Array.from({ length: 50 }, freshProof);
    const unspent = freshProof();
    expect(new Set(await Promise.all(spent.map((proof) => spend(proof))))).toEqual(new Set(['accepted']));
    await server[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(spend(unspent)).rejects.toThrow('store-unavailable'), EVENTUALLY);
    expect(freshProof).toThrow('store-unavailable');

    await using _again = await startRedisServer({ port, settings, folder: folder.path });
    await vi.waitFor(() => expect(store.problem()).toBeNull(), EVENTUALLY);
    const again = await Promise.all([...spent, unspent].map((proof) => spend(proof)));
    expect(new Set(again)).toEqual(new Set(['invalid']));
    expect(await spend(freshProof())).toBe('accepted');
  });

  it('are not accepted again by a replica that was promoted before it heard of them', async () => {
    await using primary = await startRedisServer();
    await using replica = await startRedisServer({
      settings: ['--replicaof', '127.0.0.1', `${primary.port}`],
    });
    using store = createTestStore(primary.url);
    let carriedTo: Session | undefined;
    const { spend, freshProof } = await addNode(store, {
      change: { session: () => carriedTo ?? store.session() },
    });
    const proof = freshProof();
    await vi.waitFor(async () => expect(await store.send('WAIT', '1', '100')).toBe(1), EVENTUALLY);
    const operator = await connectRedis(realSystem.clock, storeAddress(replica.url), () => {});
    await operator.send(['REPLICAOF', 'NO', 'ONE']);
    operator.destroy();
    expect(await spend(proof)).toBe('accepted');

    using promoted = await startTestStore(replica.url);
    carriedTo = promoted.session();
    expect(await carriedTo.send('EXISTS', store.key(`key:${store.session().runId}`))).toBe(1);
    expect(await carriedTo.send('KEYS', store.key('s:*'))).toEqual([]);
    expect(await spend(proof)).not.toBe('accepted');
  });

  it('are refused, not lost, while our clock is wrong', async () => {
    using store = createTestStore(await redisUrl());
    let aheadMs = 0;
    const clock = { ...realSystem.clock, wallMs: () => Date.now() + aheadMs };
    const { spend, freshProof } = await addNode(store, { system: { ...realSystem, clock } });
    const proof = freshProof();
    for (aheadMs of [-25_000, 25_000]) await expect(spend(proof)).rejects.toThrow('store-unavailable');
    aheadMs = 15_000;
    expect(await spend(proof)).toBe('accepted');
  });

  it('are void when the clock of Redis leapt, because it may have forgotten some', async () => {
    using store = createTestStore(await redisUrl());
    let handshakeAgain: Handshake | undefined;
    const onSession = (handshake: Handshake): void => {
      handshakeAgain = handshake;
      store.onSession(handshake);
    };
    const { spend, freshProof } = await addNode(store, { change: { onSession } });
    const proof = freshProof();
    await handshakeAgain?.(store.session(), { clockLeapt: false });
    expect(await spend(proof)).toBe('accepted');
    await handshakeAgain?.(store.session(), { clockLeapt: true });
    expect(await spend(proof)).toBe('invalid');
    expect(await spend(freshProof())).toBe('accepted');
  });
});
