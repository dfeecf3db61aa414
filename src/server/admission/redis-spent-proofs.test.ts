import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { connectRedis } from '#server/storage/redis/redis-connection.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
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

type Proof = VerifiedProof & { readonly expiresAtMs: number };

/** `change` stands between the node and its store. */
const addNode = async (
  store: TestStore,
  { system = realSystem, change = {} }: { system?: System; change?: Partial<SharedStore> } = {},
) => {
  const counters = createRedisVisitorCounters(system.clock, store);
  const { signingKey, spend } = createRedisSpentProofs({
    system,
    store: { ...store, ...change },
    counters,
    ttlMs: TTL_MS,
  });
  await store.start();
  const freshProof = (ttlMs = TTL_MS): Proof => {
    const expiresAtMs = system.clock.wallMs() + ttlMs;
    const key = signingKey(expiresAtMs);
    if (key === undefined) throw new Error('There is no key.');
    return { challengeId: randomUUID(), ttlMs, key, expiresAtMs };
  };
  return {
    freshProof,
    /** Verified by this node. */
    spend: async ({ expiresAtMs, ...proof }: Proof) => {
      const key = signingKey(expiresAtMs);
      return key?.equals(proof.key) === true ? spend({ ...proof, key }, [UNLIMITED]) : 'invalid';
    },
  };
};

/** Those with a proof on them. */
const pagesOf = async ({ send, key }: TestStore): Promise<readonly string[]> => {
  const pages = (await send('KEYS', key('spent:*'))) as string[];
  const sizes = await Promise.all(pages.map((page) => send('HLEN', page)));
  return pages.filter((_, n) => Number(sizes[n]) > 2);
};

const operatorOf = async (url: string) => {
  const connection = await connectRedis(realSystem.clock, storeAddress(url), () => {});
  return { ...connection, [Symbol.asyncDispose]: async () => connection.destroy() };
};

describe.skipIf(REDIS_MISSING !== null)('proofs spent in Redis', () => {
  it('are remembered as long as what signed them, at least a minute longer than they are good', async () => {
    using store = createTestStore(await redisUrl());
    const { spend, freshProof } = await addNode(store);
    await spend(freshProof());
    const pages = await pagesOf(store);
    expect(pages).toHaveLength(1);
    const leftMs = Number(await store.send('PTTL', pages[0] ?? ''));
    expect(leftMs).toBeGreaterThan(TTL_MS + 50_000);
    expect(leftMs).toBeLessThanOrEqual(TTL_MS + 120_000);
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
    await using operator = await operatorOf(replica.url);
    await operator.send(['REPLICAOF', 'NO', 'ONE']);
    expect(await spend(proof)).toBe('accepted');

    using promoted = await startTestStore(replica.url);
    carriedTo = promoted.session();
    expect(await carriedTo.send('KEYS', store.key('spent:*'))).not.toEqual([]);
    expect(await pagesOf(promoted)).toEqual([]);
    expect(await spend(proof)).not.toBe('accepted');
  });

  it('are not accepted again by a process that got an older copy, even in one that goes on', async () => {
    using store = createTestStore(await redisUrl());
    const { spend, freshProof } = await addNode(store);
    const [before, proof] = [freshProof(), freshProof()];
    await spend(before);
    const [page = ''] = await pagesOf(store);
    const copy = `${page}:copy`;
    await store.send('COPY', page, copy);
    expect(await spend(proof)).toBe('accepted');
    await store.send('COPY', copy, page, 'REPLACE');
    expect(await spend(proof)).toBe('invalid');
    expect(await spend(freshProof())).toBe('accepted');
  });

  it('are not accepted again by a primary that was a replica for a moment', async () => {
    await using server = await startRedisServer();
    await using other = await startRedisServer();
    using store = createTestStore(server.url);
    const { spend, freshProof } = await addNode(store);
    const proof = freshProof();
    expect(await spend(proof)).toBe('accepted');
    const [page = ''] = await pagesOf(store);
    const id = ((await store.send('HKEYS', page)) as string[]).find((field) => field.length === 22) ?? '';
    // As a replica that lagged: it has the page, but not the proof.
    const link = ['127.0.0.1', `${server.port}`] as const;
    await using copier = await operatorOf(other.url);
    await copier.send(['REPLICAOF', ...link]);
    await vi.waitFor(async () => expect(await copier.send(['EXISTS', page])).toBe(1), EVENTUALLY);
    await copier.send(['REPLICAOF', 'NO', 'ONE']);
    await copier.send(['HDEL', page, id]);
    await using operator = await operatorOf(server.url);
    await operator.send(['REPLICAOF', '127.0.0.1', `${other.port}`]);
    await vi.waitFor(async () => expect(await operator.send(['HEXISTS', page, id])).toBe(0), EVENTUALLY);
    await operator.send(['REPLICAOF', 'NO', 'ONE']);
    await vi.waitFor(async () => expect(['invalid', 'used']).toContain(await spend(proof)), EVENTUALLY);
    await vi.waitFor(async () => expect(await spend(freshProof())).toBe('accepted'), EVENTUALLY);
    expect(await spend(proof)).not.toBe('accepted');
  });

  it('are not accepted again, whatever Redis’s clock makes it forget', async () => {
    using store = createTestStore(await redisUrl());
    const [one, other] = [await addNode(store), await addNode(store)];
    const forgotten = fc.record({ leftMs: fc.integer({ min: 1_000, max: TTL_MS }), drops: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(forgotten, { minLength: 1, maxLength: 12 }), async (steps) => {
        const spent: Proof[] = [];
        for (const { leftMs, drops } of steps) {
          const proof = one.freshProof(leftMs);
          if ((await one.spend(proof)) === 'accepted') spent.push(proof);
          // What a leap ahead does, to any of the keys, with or without a trace.
          const keys = (await store.send('KEYS', store.key('*'))) as string[];
          const victim = keys[leftMs % keys.length];
          if (drops && victim !== undefined) await store.send('PEXPIREAT', victim, '1');
          for (const node of [one, other])
            for (const again of spent) expect(await node.spend(again)).not.toBe('accepted');
        }
      }),
      { numRuns: 20 },
    );
  });

  it('are forgotten together with what signed them, and nothing is signed for a time that is over', async () => {
    using store = createTestStore(await redisUrl());
    let aheadMs = 0;
    const clock = { ...realSystem.clock, wallMs: () => Date.now() + aheadMs };
    const { freshProof } = await addNode(store, { system: { ...realSystem, clock } });
    aheadMs = -86_400_000;
    expect(freshProof).toThrow('There is no key.');
  });

  it('heal where somebody else has written', async () => {
    using store = createTestStore(await redisUrl());
    const { spend, freshProof } = await addNode(store);
    const proof = freshProof();
    await spend(proof);
    const [page = ''] = await pagesOf(store);
    await store.send('SET', page, 'poison');
    await expect(spend(proof)).rejects.toThrow('store-unavailable');
    await vi.waitFor(async () => expect(await spend(freshProof())).toBe('accepted'), EVENTUALLY);
    expect(await spend(proof)).toBe('invalid');
  });
});
