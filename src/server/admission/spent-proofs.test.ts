import { hash, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { createRedisVisitorCounters } from '#server/visitors/redis-visitor-counters.ts';
import { createMemoryVisitorCounters, type LimitedEvent } from '#server/visitors/visitor-counters.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { createTestStore } from '#test/support/shared-store.ts';
import { createRedisSpentProofs } from './redis-spent-proofs.ts';
import { createMemorySpentProofs, type SpendOutcome, type SpentProofs } from './spent-proofs.ts';

const MINUTE = 60_000;
const limited = (limit: string, burst: number): LimitedEvent => ({
  limit,
  key: Buffer.alloc(16),
  allowance: { count: 1, periodMs: 60 * MINUTE, burst },
});
const UNLIMITED = limited('unlimited', 1e6);

/** What signs a challenge that expires in a minute. */
const keyOf = ({ signingKey }: SpentProofs): KeyObject => {
  const key = signingKey(Date.now() + MINUTE);
  if (key === undefined) throw new Error('There is no key.');
  return key;
};

const spendWith =
  (spentProofs: SpentProofs) =>
  (name: string, events: readonly LimitedEvent[] = [UNLIMITED], ttlMs = MINUTE) =>
    spentProofs.spend({ challengeId: hash('sha256', name), ttlMs, key: keyOf(spentProofs) }, events);

/** Two nodes on one memory. */
type Form = Disposable & { readonly nodes: readonly [SpentProofs, SpentProofs] };

let seed = 0;
const inMemory = async (): Promise<Form> => {
  const system = createFakeSystem({ seed: (seed += 1) });
  const spentProofs = createMemorySpentProofs({ system, counters: createMemoryVisitorCounters(system) });
  return { nodes: [spentProofs, spentProofs], [Symbol.dispose]: () => {} };
};

const inRedis = async (): Promise<Form> => {
  const url = await redisUrl();
  const stores = new DisposableStack();
  const addNode = async (): Promise<SpentProofs> => {
    const store = stores.use(createTestStore(url));
    const counters = createRedisVisitorCounters(realSystem.clock, store);
    const spentProofs = createRedisSpentProofs({ system: realSystem, store, counters, ttlMs: MINUTE });
    await store.start();
    return spentProofs;
  };
  const nodes = [await addNode(), await addNode()] as const;
  return { nodes, [Symbol.dispose]: () => stores.dispose() };
};

describe.each([
  ['memory', inMemory, null],
  ['Redis', inRedis, REDIS_MISSING],
] as const)('spent proofs in %s', (_, create, missing) => {
  it.skipIf(missing !== null)('lets exactly one of many parallel calls through', async () => {
    using form = await create();
    const calls = Array.from({ length: 100 }, () => form.nodes.map((node) => spendWith(node)('one'))).flat();
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'used')).toHaveLength(199);
  });

  it.skipIf(missing !== null)(
    'leaves the proof to a visitor over a limit, and counts no used one',
    async () => {
      using form = await create();
      const [one, other] = [spendWith(form.nodes[0]), spendWith(form.nodes[1])];
      const events = [limited('a', 2), limited('b', 50)];
      expect(await one('x', events)).toBe('accepted');
      for (let n = 0; n < 20; n += 1) expect(await other('x', events)).toBe('used');
      expect(await other('y', events)).toBe('accepted');
      expect(await one('z', events)).toEqual({ allowed: false, retryAfterMs: expect.any(Number) as number });
      expect(await other('z', [limited('a', 3)])).toBe('accepted');
    },
  );

  it.skipIf(missing !== null)('lets no more through at once than the limit allows', async () => {
    using form = await create();
    const spent = Array.from({ length: 50 }, (__, n) =>
      form.nodes.map((node, index) => spendWith(node)(`${n} at ${index}`, [limited('a', 3)])),
    );
    const outcomes = await Promise.all(spent.flat());
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(3);
  });

  it.skipIf(missing !== null)('has a key of its own, and takes no proof of another', async () => {
    using form = await create();
    using elsewhere = await create();
    const key = keyOf(form.nodes[0]);
    expect(key.export()).toHaveLength(32);
    expect(keyOf(form.nodes[1]).export()).toEqual(key.export());
    const spend = (verifiedBy: KeyObject) =>
      form.nodes[0].spend({ challengeId: hash('sha256', 'x'), ttlMs: MINUTE, key: verifiedBy }, [
        limited('a', 1),
      ]);
    expect(await spend(keyOf(elsewhere.nodes[0]))).toBe('invalid');
    expect(await spend(key)).toBe('accepted');
  });
});

describe('the memory of one process', () => {
  const setUp = (capacity = 1_000) => {
    const system = createFakeSystem();
    const counters = createMemoryVisitorCounters(system);
    const spentProofs = createMemorySpentProofs({ system, counters, capacity });
    const spendNow = spendWith(spentProofs);
    const spend = (challengeId: string, ttlMs = MINUTE) => spendNow(challengeId, [], ttlMs);
    return { system, spend, key: () => spentProofs.signingKey().export() };
  };

  it('remembers every entry at least as long as it was asked to, while others come and go', async () => {
    const { system, spend } = setUp();
    const lastMoments: Promise<SpendOutcome>[] = [];
    for (let step = 0; step < 100; step += 1) {
      const ttlMs = ((step * 37) % 10) * MINUTE + 1;
      expect(await spend(`id-${step}`, ttlMs)).toBe('accepted');
      system.clock.after(ttlMs - 1, () => lastMoments.push(spend(`id-${step}`, ttlMs)));
      await system.advance(MINUTE / 2);
    }
    await system.advance(11 * MINUTE);
    expect(await Promise.all(lastMoments)).toEqual(Array(100).fill('used'));
  });

  it('refuses when full, drops nothing to make room, and uses the room of what has expired', async () => {
    const { system, spend } = setUp(1_000);
    for (let id = 0; id < 1_000; id += 1) expect(await spend(`${id}`)).toBe('accepted');
    await system.advance(MINUTE - 1);
    expect(await spend('one more')).toBe('unavailable');
    for (let id = 0; id < 1_000; id += 1) expect(await spend(`${id}`)).toBe('used');
    await system.advance(2 * MINUTE);
    expect(await spend('one more')).toBe('accepted');
  });

  it('keeps an entry when the wall clock jumps forward', async () => {
    const { system, spend } = setUp();
    await spend('a');
    system.skewWall(24 * 60 * MINUTE);
    expect(await spend('a')).toBe('used');
  });

  it('keeps its key while clocks run on and over a small step back, not over a large one', async () => {
    const { system, key } = setUp();
    const first = key();
    await system.advance(60 * MINUTE);
    system.skewWall(60 * MINUTE);
    expect(key()).toEqual(first);
    system.skewWall(-9_000);
    expect(key()).toEqual(first);
    system.skewWall(-2_000);
    const second = key();
    expect(second).not.toEqual(first);
    await system.advance(MINUTE);
    expect(key()).toEqual(second);
  });
});
