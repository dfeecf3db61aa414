import { describe, expect, it, vi } from 'vitest';
import { connectRedis } from '#server/storage/redis/redis-connection.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { Handshake, SharedStore } from '#server/storage/redis/shared-store.ts';
import { realSystem, type System } from '#server/system.ts';
import { createSharedVisitorCounters } from '#server/visitors/shared-visitor-counters.ts';
import type { LimitedEvent } from '#server/visitors/visitor-counters.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { createTestStore, startTestStore, storeAddress, type TestStore } from '#test/support/shared-store.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createCaptcha } from './captcha.ts';
import { createSharedSpentProofs } from './shared-spent-proofs.ts';

const TTL_SECONDS = 300;
const limitedTo = (burst: number, limit = 'a'): LimitedEvent => ({
  limit,
  key: Buffer.alloc(16),
  allowance: { count: 1, periodMs: 3_600_000, burst },
});
const UNLIMITED = [limitedTo(1e6, 'unlimited')];

/** `change` stands between the captcha and its store. */
const addNode = async (
  store: TestStore,
  { system = realSystem, change = {} }: { system?: System; change?: Partial<SharedStore> } = {},
) => {
  const counters = createSharedVisitorCounters(system.clock, store);
  const spentProofs = createSharedSpentProofs(system, { ...store, ...change }, counters);
  const { issue, redeem } = createCaptcha({ system, spentProofs, ttlSeconds: TTL_SECONDS, maxNumber: 100 });
  const captcha = { issue, redeem: (proof: string, events = UNLIMITED) => redeem(proof, events) };
  await store.start();
  const freshProof = async () => encodeProof(solveChallenge(await captcha.issue(0)));
  return { store, captcha, counters, freshProof };
};

const startNode = (url: string) => addNode(createTestStore(url));

describe.skipIf(REDIS_MISSING !== null)('proofs over several nodes', () => {
  it('are accepted once by all nodes together, wherever they were issued', async () => {
    await using server = await startRedisServer();
    const nodes = await Promise.all(Array.from({ length: 4 }, () => startNode(server.url)));
    for (const issuer of nodes) {
      const proof = await issuer.freshProof();
      const answers = await Promise.all(
        nodes.flatMap(({ captcha }) => Array.from({ length: 50 }, () => captcha.redeem(proof))),
      );
      expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'used')).toHaveLength(199);
    }
    for (const { store } of nodes) store.close();
  });

  it('are kept by whoever is over a limit at any node, and a used one counts nothing', async () => {
    await using server = await startRedisServer();
    using first = createTestStore(server.url);
    using second = createTestStore(server.url);
    const [one, other] = [await addNode(first), await addNode(second)];
    const [a, b, c] = [await one.freshProof(), await one.freshProof(), await one.freshProof()];
    const events = [limitedTo(2), limitedTo(50, 'b')];
    expect(await one.captcha.redeem(a, events)).toBe('accepted');
    for (let n = 0; n < 20; n += 1) expect(await other.captcha.redeem(a, events)).toBe('used');
    expect(await other.captcha.redeem(b, events)).toBe('accepted');
    const before = one.counters.knownWaitMs(events);
    const refusal = await one.captcha.redeem(c, events);
    expect([before, refusal]).toEqual([0, { allowed: false, retryAfterMs: expect.any(Number) as number }]);
    expect(one.counters.knownWaitMs(events)).toBeGreaterThan(3_000_000);
    expect(await other.captcha.redeem(c, [limitedTo(3)])).toBe('accepted');
  });

  it('are remembered a minute longer than they are good, and the key for as long as it is used', async () => {
    await using server = await startRedisServer();
    using store = createTestStore(server.url);
    const { captcha, freshProof } = await addNode(store);
    await captcha.redeem(await freshProof());
    const [spent] = (await store.send('KEYS', 'wf:s:*')) as string[];
    const leftMs = Number(await store.send('PTTL', spent ?? ''));
    expect(leftMs).toBeGreaterThan((TTL_SECONDS + 50) * 1_000);
    expect(leftMs).toBeLessThanOrEqual((TTL_SECONDS + 60) * 1_000);
    const name = store.key(`key:${store.session().runId}`);
    await store.send('EXPIRE', name, '100');
    await vi.waitFor(async () => expect(await store.send('TTL', name)).toBeGreaterThan(100), EVENTUALLY);
  });

  it('are not accepted again after FLUSHALL, and new ones are, at every node', async () => {
    await using server = await startRedisServer();
    using first = createTestStore(server.url);
    using second = createTestStore(server.url);
    const [one, other] = [await addNode(first), await addNode(second)];
    const proof = await one.freshProof();
    const unspent = await one.freshProof();
    expect(await one.captcha.redeem(proof)).toBe('accepted');
    await first.send('FLUSHALL');
    expect(await one.captcha.redeem(proof)).toBe('invalid');
    expect(await other.captcha.redeem(unspent)).toBe('invalid');
    await vi.waitFor(
      async () => expect(await other.captcha.redeem(await one.freshProof())).toBe('accepted'),
      EVENTUALLY,
    );
    expect(await one.captcha.redeem(proof)).toBe('invalid');
  });

  it.each([
    ['nothing', []],
    ['everything', ['--appendonly', 'yes', '--appendfsync', 'always']],
  ])('are not accepted again by a Redis that comes back with %s', async (_, settings) => {
    using folder = temporaryFolder();
    const port = await freePort();
    const server = await startRedisServer({ port, settings, folder: folder.path });
    using store = createTestStore(server.url);
    const { captcha, freshProof } = await addNode(store);
    const spent = await Promise.all(Array.from({ length: 50 }, freshProof));
    const unspent = await freshProof();
    expect(new Set(await Promise.all(spent.map((proof) => captcha.redeem(proof))))).toEqual(
      new Set(['accepted']),
    );
    await server[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(captcha.redeem(unspent)).rejects.toThrow('store-unavailable'), EVENTUALLY);
    await expect(captcha.issue(0)).rejects.toMatchObject({ code: 'store-unavailable' });

    await using _again = await startRedisServer({ port, settings, folder: folder.path });
    await vi.waitFor(() => expect(store.problem()).toBeNull(), EVENTUALLY);
    const again = await Promise.all([...spent, unspent].map((proof) => captcha.redeem(proof)));
    expect(new Set(again)).toEqual(new Set(['invalid']));
    expect(await captcha.redeem(await freshProof())).toBe('accepted');
  });

  it('are not accepted again by a replica that was promoted before it heard of them', async () => {
    await using primary = await startRedisServer();
    await using replica = await startRedisServer({
      settings: ['--replicaof', '127.0.0.1', `${primary.port}`],
    });
    using store = createTestStore(primary.url);
    let carriedTo: Session | undefined;
    const { captcha, freshProof } = await addNode(store, {
      change: { session: () => carriedTo ?? store.session() },
    });
    const proof = await freshProof();
    await vi.waitFor(async () => expect(await store.send('WAIT', '1', '100')).toBe(1), EVENTUALLY);
    const operator = await connectRedis(realSystem.clock, storeAddress(replica.url), () => {});
    await operator.send(['REPLICAOF', 'NO', 'ONE']);
    operator.destroy();
    expect(await captcha.redeem(proof)).toBe('accepted');

    using promoted = await startTestStore(replica.url);
    carriedTo = promoted.session();
    expect(await carriedTo.send('EXISTS', store.key(`key:${store.session().runId}`))).toBe(1);
    expect(await carriedTo.send('KEYS', store.key('s:*'))).toEqual([]);
    expect(await captcha.redeem(proof)).not.toBe('accepted');
  });

  it('are refused, not lost, while our clock is wrong', async () => {
    await using server = await startRedisServer();
    using store = createTestStore(server.url);
    let aheadMs = 0;
    const clock = { ...realSystem.clock, wallMs: () => Date.now() + aheadMs };
    const { captcha, freshProof } = await addNode(store, { system: { ...realSystem, clock } });
    const proof = await freshProof();
    for (aheadMs of [-25_000, 25_000]) expect(await captcha.redeem(proof)).toBe('unavailable');
    aheadMs = 15_000;
    expect(await captcha.redeem(proof)).toBe('accepted');
  });

  it('are void when the clock of Redis leapt, because it may have forgotten some', async () => {
    await using server = await startRedisServer();
    using store = createTestStore(server.url);
    let greetAgain: Handshake | undefined;
    const onSession = (greet: Handshake): void => {
      greetAgain = greet;
      store.onSession(greet);
    };
    const { captcha, freshProof } = await addNode(store, { change: { onSession } });
    const proof = await freshProof();
    await greetAgain?.(store.session(), { clockLeapt: false });
    expect(await captcha.redeem(proof)).toBe('accepted');
    await greetAgain?.(store.session(), { clockLeapt: true });
    expect(await captcha.redeem(proof)).toBe('invalid');
    expect(await captcha.redeem(await freshProof())).toBe('accepted');
  });
});
