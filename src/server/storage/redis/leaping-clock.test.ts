import { describe, expect, it, vi } from 'vitest';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { createTestStore } from '#test/support/shared-store.ts';
import { realSystem } from '#server/system.ts';
import { defineScript } from './script.ts';
import { unavailable } from './session.ts';

const TIMED = defineScript({
  keys: ['key'],
  args: ['arg'],
  timed: true,
  lua: 'return {key, arg, unpack(moreArgs)}',
  reply: (reply) => reply,
});
const input = { keys: { key: 'x' }, args: { arg: 1 } };

describe.skipIf(REDIS_MISSING !== null)('a shared store', () => {
  it('tells the parts that the clock leapt, and leaves one that is wrong', async () => {
    let aheadMs = 0;
    const clock = { ...realSystem.clock, monotonicMs: () => realSystem.clock.monotonicMs() - aheadMs };
    using store = createTestStore(await redisUrl(), clock);
    const news: boolean[] = [];
    store.onSession(async (_session, { clockLeapt }) => void news.push(clockLeapt));
    await store.start();
    // Our own falling back looks the same as Redis's leaping forward.
    aheadMs = 15_000;
    await vi.waitFor(() => expect(news).toEqual([false, true]), EVENTUALLY);
    expect(store.told).toContain('The clock of the shared store leapt');
  });

  it('decides nothing by a clock that is not what it expects, and forgives one that was', async () => {
    let aheadMs = 0;
    const clock = {
      ...realSystem.clock,
      wallMs: () => Date.now() - aheadMs,
      monotonicMs: () => realSystem.clock.monotonicMs() - aheadMs,
    };
    using store = createTestStore(await redisUrl(), clock);
    const news: boolean[] = [];
    store.onSession(async (_session, { clockLeapt }) => void news.push(clockLeapt));
    await store.start();
    expect(await store.run(TIMED, input)).toEqual(['x', '1']);
    aheadMs = 400_000;
    await expect(store.run(TIMED, input)).rejects.toThrow(unavailable());
    await vi.waitFor(() => expect(store.problem()).toMatch(/is \d+ s ahead of ours$/), EVENTUALLY);
    aheadMs = 0;
    await vi.waitFor(() => expect(store.problem()).toBeNull(), EVENTUALLY);
    expect(await store.run(TIMED, input)).toEqual(['x', '1']);
    expect(news).toEqual([false, false]);
  });
});
