import { describe, expect, it, vi } from 'vitest';
import type { AppError } from '#server/app-error.ts';
import { EXIT } from '#server/operator-error.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { passWithStores } from '#test/support/fake-time-store.ts';
import { botToken } from '#test/support/pool-kinds.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { startSharedNode } from '#test/support/shared-node.ts';
import { codeOf, emptyStore, lookUp, NOBODY, startNodes } from '#test/support/shared-nodes.ts';
import { startTestStore } from '#test/support/shared-store.ts';

describe.skipIf(REDIS_MISSING !== null)('a store', () => {
  it('that was emptied makes all rest, and then has every token and every invalid answer again', async () => {
    const { one, other, nodes, say, used, pass } = await startNodes(2);
    one.pool.add(botToken('a'));
    other.pool.add(botToken('b'));
    say.ofUser = async () => ({ kind: 'forbidden' });
    await lookUp(one);
    say.ofUser = async () => NOBODY;
    await lookUp(other);
    await pass(2_000);
    await emptyStore(one);
    const refused = lookUp(other).catch((error: unknown) => error);
    await pass(1_000);
    expect(await refused).toMatchObject({ code: 'pool-busy' });
    // Nothing was learned of how long a limit takes, so the longest rest.
    await pass(51_000);
    expect(await codeOf(lookUp(one))).toBe('pool-busy');
    expect(used).toHaveLength(2);
    await pass(9_000);
    expect([await lookUp(one), await lookUp(other)]).toEqual([NOBODY, NOBODY]);
    await pass(1_000);
    expect(nodes.map(({ pool }) => pool.counts().healthy + pool.counts().cooling)).toEqual([2, 2]);
    expect(nodes.map(({ platform }) => platform.invalidRequests())).toEqual([1, 1]);
  });

  it.each([
    ['{t}gate', 'poison'],
    ['{t}flights', 'poison'],
    ['{t}invalid', 'poison'],
    ['{t}usable', 'poison'],
    ['{t}records', 'poison'],
    ['{t}removed', 'poison'],
    ['{t}suspicion', 'poison'],
    ['{t}layout', 'poison'],
    ['{t}usable', 'lost'],
  ])('whose %s is %s heals, and nobody is told of a defect', async (name, kind) => {
    const { one, nodes, pass } = await startNodes(2);
    one.pool.add(botToken('a'));
    await lookUp(one);
    await pass(2_000);
    const { send } = one.store.session();
    await send('DEL', one.store.key(name));
    if (kind === 'poison') await send(name === '{t}layout' ? 'RPUSH' : 'SET', one.store.key(name), 'poison');
    await vi.waitFor(async () => {
      const found = lookUp(one).catch(({ code }: AppError) => code);
      await pass(10_000);
      expect(await found).toEqual(NOBODY);
    }, EVENTUALLY);
    expect(nodes.flatMap(({ defects }) => defects)).toEqual([]);
  });

  it('that another Redis process has filled makes newcomers rest too', async () => {
    const url = await redisUrl();
    using admin = await startTestStore(url);
    // As after a restart with persistence, or on a replica that was promoted.
    await admin.send('HSET', admin.key('{t}gate'), 'epoch', 'another-run-id:1');
    const system = createFakeSystem();
    const client = { getUser: async () => NOBODY };
    using node = await startSharedNode({ system, url, client });
    const pass = (ms: number) => passWithStores(system, [node.store], { ms, stepMs: 500 });
    node.pool.add(botToken('a'));
    await pass(50_000);
    expect(await codeOf(lookUp(node))).toBe('pool-busy');
    await pass(11_000);
    expect(await lookUp(node)).toEqual(NOBODY);
  });

  it('of another layout is refused, with what to do', async () => {
    const url = await redisUrl();
    using admin = await startTestStore(url);
    await admin.send('SET', admin.key('{t}layout'), '0');
    const start = startSharedNode({ system: createFakeSystem(), url, client: {} });
    await expect(start).rejects.toMatchObject({
      exitCode: EXIT.sharedStoreUnusable,
      message: expect.stringContaining('keeps its tokens differently: stop all nodes'),
    });
  });

  it('holds no secret and no bot’s id', async () => {
    const { url, one, pass } = await startNodes(1);
    one.pool.add(botToken('441997505123577857', 'the-secret'));
    await lookUp(one);
    await pass(1_000);
    using admin = await startTestStore(url);
    const keys = (await admin.send('KEYS', admin.key('*'))) as string[];
    const dumps = await Promise.all(keys.map((key) => admin.send('DUMP', key)));
    const all = JSON.stringify([keys, dumps]);
    expect(all).not.toContain('441997505123577857');
    expect(all).not.toContain('the-secret');
  });
});
