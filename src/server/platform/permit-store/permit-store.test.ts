import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFakeSystem, type FakeSystem } from '#test/support/fake-system.ts';
import { createFakeTimeStore, passWithStores, type FakeTimeStore } from '#test/support/fake-time-store.ts';
import { testStanding } from '#test/support/fake-platform.ts';
import { testInBackground } from '#test/support/memory-pool.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import type { Settlement } from '../egress-rules.ts';
import type { Question } from '../questions.ts';
import { createMemoryPermitStore } from './memory-permit-store.ts';
import type { Grant, PermitStore } from './permit-store.ts';
import { createRedisPermitStore } from './redis-permit-store.ts';
import type { Standing } from './standing.ts';

type Bench = { readonly store: PermitStore; readonly pass: (ms: number) => Promise<void> };
type Limits = { readonly perSecond?: number; readonly invalidLimit?: number };

const ANSWERED: Settlement = { isInvalid: false, banMs: null, isAnswered: true };
const INVALID: Settlement = { ...ANSWERED, isInvalid: true };
const SILENT: Settlement = { ...ANSWERED, isAnswered: false };
const BANNED: Settlement = { isInvalid: true, banMs: 60_000, isAnswered: true };

/** As the platform does: what is invalid is counted here, and told to the store. */
const counting = (store: PermitStore, standing: Standing): PermitStore => ({
  ...store,
  settle: (grant, settlement) => {
    standing.settled(grant.question, settlement);
    store.settle(grant, settlement);
  },
});

const inMemory = async ({ perSecond = 1e9, invalidLimit }: Limits): Promise<Bench> => {
  const system = createFakeSystem();
  const standing = testStanding(system, invalidLimit);
  const store = createMemoryPermitStore({ clock: system.clock, standing, perSecond });
  return { store: counting(store, standing), pass: system.advance };
};

const inRedis = async ({
  perSecond = 1e9,
  invalidLimit,
}: Limits): Promise<Bench & { readonly shared: FakeTimeStore }> => {
  const system: FakeSystem = createFakeSystem();
  const shared = createFakeTimeStore(await redisUrl(), system);
  onTestFinished(shared[Symbol.dispose]);
  const standing = testStanding(system, invalidLimit);
  const store = createRedisPermitStore({
    ...system,
    store: shared,
    inBackground: testInBackground,
    standing,
    perSecond,
  });
  const pass = (ms: number) => passWithStores(system, [shared], { ms, stepMs: Math.max(1, ms / 50) });
  await shared.start();
  // The first handshake with an empty store.
  await pass(1_050);
  return { store: counting(store, standing), pass, shared };
};

const take = async ({ store }: Bench, question: Question = 'getUser'): Promise<Grant> => {
  const grant = await store.take(question);
  if (grant === null) throw new Error('There is no permit.');
  return grant;
};

describe.each([
  { kind: 'in memory', start: inMemory, missing: null, runs: 100 },
  { kind: 'in Redis', start: inRedis, missing: REDIS_MISSING, runs: 5 },
])('permits $kind', ({ start, missing, runs }) => {
  it.skipIf(missing !== null)('keep to the pace, however they are asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.nat(300), { maxLength: 60 }),
        async (perSecond, gaps) => {
          const bench = await start({ perSecond });
          const sent: number[] = [];
          let nowMs = 0;
          for (const gap of gaps) {
            if (gap > 0) await bench.pass(gap);
            nowMs += gap;
            if ((await bench.store.take('getUser')) !== null) sent.push(nowMs);
          }
          for (const from of sent) {
            const inSecond = sent.filter((sentMs) => sentMs >= from && sentMs < from + 1_000);
            expect(inSecond.length).toBeLessThanOrEqual(perSecond);
          }
        },
      ),
      { numRuns: runs },
    );
  });

  it.skipIf(missing !== null)('say when the next may be had, and that it is not a pause', async () => {
    const bench = await start({ perSecond: 10 });
    await take(bench);
    expect(await bench.store.take('getInvite')).toBeNull();
    await bench.pass(120);
    expect(await bench.store.take('getInvite')).not.toBeNull();
    expect(bench.store.pause(0)).toBeNull();
  });

  it.skipIf(missing !== null)('stop at the limit of invalid answers, those in flight included', async () => {
    const bench = await start({ invalidLimit: 3 });
    const first = await take(bench);
    const second = await take(bench);
    await take(bench);
    expect(await bench.store.take('getUser')).toBeNull();
    bench.store.settle(first, ANSWERED);
    bench.store.settle(second, INVALID);
    await bench.pass(100);
    bench.store.settle(await take(bench), INVALID);
    await bench.pass(1_000);
    expect(bench.store.invalidRequests()).toBe(2);
    expect(await bench.store.take('getUser')).toBeNull();
    expect(bench.store.pause(0)?.cause).toBe('invalid-requests');
    await bench.pass(612_000);
    expect(await bench.store.take('getUser')).not.toBeNull();
    expect(bench.store.invalidRequests()).toBe(0);
  });

  it.skipIf(missing !== null)('of a banned question wait, then probe one at a time', async () => {
    const bench = await start({});
    bench.store.settle(await take(bench, 'getInvite'), BANNED);
    await bench.pass(1_000);
    expect(await bench.store.take('getInvite')).toBeNull();
    bench.store.settle(await take(bench), ANSWERED);
    await bench.pass(60_000);
    const silent = await take(bench, 'getInvite');
    expect(silent.isProbe).toBe(true);
    expect(await bench.store.take('getInvite')).toBeNull();
    bench.store.settle(silent, SILENT);
    await bench.pass(100);
    bench.store.settle(await take(bench, 'getInvite'), ANSWERED);
    await bench.pass(100);
    expect((await take(bench, 'getInvite')).isProbe).toBe(false);
  });

  it.skipIf(missing !== null)('all stop for a ban of lookups, whatever was sent before it', async () => {
    const bench = await start({});
    const before = await take(bench);
    bench.store.settle(await take(bench), BANNED);
    bench.store.settle(before, ANSWERED);
    await bench.pass(1_100);
    expect(await bench.store.take('getUser')).toBeNull();
    expect(await bench.store.take('getInvite')).toBeNull();
    expect(bench.store.pause(0)?.cause).toBe('banned');
    await bench.pass(60_000);
    expect((await take(bench)).isProbe).toBe(true);
  });
});

describe.skipIf(REDIS_MISSING !== null)('permits in a store that a wrong clock has written to', () => {
  const DAY_MS = 86_400_000;
  const start = async () => {
    const bench = await inRedis({ perSecond: 10, invalidLimit: 3 });
    const { shared } = bench;
    const ahead = (ms: number): string => `${shared.storeNowMs() + ms}`;
    return { ...bench, ahead, send: shared.session().send, key: shared.key };
  };

  it.each([
    ['restUntil', 65_000],
    ['tat', 300],
    ['probeUntil:getUser', 12_000],
  ])('end what it says of %s when its rule does', async (field, afterMs) => {
    const bench = await start();
    const { send, key, ahead } = bench;
    await send('HSET', key('{t}gate'), field, ahead(10 * DAY_MS), 'bannedUntil:getUser', '1');
    expect(await bench.store.take('getUser')).toBeNull();
    await bench.pass(afterMs);
    expect(await bench.store.take('getUser')).not.toBeNull();
  });

  it('count nothing that is dated farther ahead than it can count', async () => {
    const bench = await start();
    const { send, key, ahead } = bench;
    await send('ZADD', key('{t}invalid'), ahead(DAY_MS), 'a', ahead(600_000), 'b');
    await send('ZADD', key('{t}flights'), ahead(DAY_MS), 'c');
    await bench.pass(1_000);
    expect(bench.store.invalidRequests()).toBe(1);
    expect(await bench.store.take('getUser')).not.toBeNull();
  });

  it('are no longer refused for what the store said once it has been emptied', async () => {
    const bench = await start();
    const { send, key, ahead } = bench;
    await send('HSET', key('{t}gate'), 'bannedUntil:getUser', ahead(DAY_MS));
    expect(await bench.store.take('getUser')).toBeNull();
    await bench.pass(61_000);
    expect(bench.store.freeAtMs('getUser', 0)).toBeGreaterThan(DAY_MS / 2);
    await send('DEL', key('{t}gate'));
    await bench.pass(65_000);
    expect(bench.store.freeAtMs('getUser', 0)).toBeLessThan(DAY_MS / 2);
    expect(await bench.store.take('getUser')).not.toBeNull();
  });
});

describe('the pace in the long run', () => {
  it.each([1, 7, 50, 1_000, 10_000])('of %i a second uses 97 %%, however late', async (perSecond) => {
    const { clock, advance, random } = createFakeSystem();
    const standing = testStanding(createFakeSystem());
    const store = createMemoryPermitStore({ clock, standing, perSecond });
    const untilMs = perSecond < 50 ? 600_000 : 5_000;
    let sent = 0;
    while (clock.monotonicMs() < untilMs) {
      if ((await store.take('getUser')) !== null) sent += 1;
      const waitMs = store.freeAtMs('getUser', clock.monotonicMs()) - clock.monotonicMs();
      if (waitMs > 0) await advance(waitMs + random.integer(10));
    }
    expect(sent / (perSecond * (untilMs / 1_000))).toBeGreaterThanOrEqual(0.97);
  });
});
