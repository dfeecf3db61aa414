// @module-tag slow
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Status } from '#shared/contract/status.ts';
import { createSandbox } from '#sandbox/sandbox.ts';
import { realSystem } from '#server/system.ts';
import { createVisitorKeys } from '#server/visitors/visitor-keys.ts';
import { readAdmin, readMetrics } from '#test/support/admin-client.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { verdictOf } from '#test/support/many-lookups.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { createTestStore } from '#test/support/shared-store.ts';
import { startTestNode, type TestNode } from '#test/support/test-node.ts';
import { addVanityLink } from '#test/support/vanity-link.ts';

const ID = '441997505123577857';
const NOBODY = '794354273277177873';

const sandbox = createSandbox();
const urls = await sandbox.listen();
afterAll(() => sandbox.close());

const startNode = (url: string, env: Record<string, string> = {}) =>
  startTestNode({ sandbox, urls, env: { SHARED_STATE_URL: url, ...env } });

const readReadiness = async ({ app }: TestNode) => {
  const { status, text } = await readAdmin(app, '/readyz');
  return { status, problem: (JSON.parse(text) as Record<string, unknown>)['shared_store_problem'] };
};
const becomesReady = (node: TestNode): Promise<void> =>
  vi.waitFor(
    async () => expect(await readReadiness(node)).toEqual({ status: 200, problem: null }),
    EVENTUALLY,
  );

describe.skipIf(REDIS_MISSING !== null)('several nodes on one store', () => {
  it('take each other’s challenges, and every proof once', async () => {
    const url = await redisUrl();
    await using one = await startNode(url);
    await using other = await startNode(url);
    const body = { discord_id: ID, proof: await one.proof() };
    expect(verdictOf(await other.post('/lookup', body))).toBe('200');
    for (const node of [one, other])
      expect(verdictOf(await node.post('/lookup', body))).toBe('403 proof-used');
  });

  it('allow a visitor as much as one node alone would', async () => {
    const url = await redisUrl();
    await using one = await startNode(url, { LOOKUPS_PER_MINUTE: '2' });
    await using other = await startNode(url, { LOOKUPS_PER_MINUTE: '2' });
    const verdicts: string[] = [];
    for (const node of [one, other, one]) verdicts.push(verdictOf(await node.lookUp(ID)));
    expect(verdicts).toEqual(['200', '429 visitor-limit', '429 visitor-limit']);
  });

  it('tell everybody of the lookups at all of them', async () => {
    const url = await redisUrl();
    await using one = await startNode(url);
    await using other = await startNode(url);
    for (const node of [one, other, one]) expect(verdictOf(await node.lookUp(ID))).toBe('200');
    for (const { ask } of [one, other])
      await vi.waitFor(async () => {
        const status = (await ask('/status.json')).json<Status>();
        expect(status.lookups_last_hour).toEqual({ served: 3, refused: 0 });
      }, EVENTUALLY);
  });

  it('ask the platform once, about somebody and about nobody', async () => {
    const url = await redisUrl();
    await using one = await startNode(url);
    await using other = await startNode(url);
    const before = sandbox.stats().requests;
    for (const id of [ID, NOBODY]) {
      const [first, second] = [await one.lookUp(id), await other.lookUp(id)];
      const { looked_up_at: _, ...answer } = first.json<Record<string, unknown>>();
      expect(second.json()).toMatchObject(answer);
      expect(second.statusCode).toBe(first.statusCode);
    }
    expect(sandbox.stats().requests - before).toBe(2);
  });

  it('do not show who opted out, though another node may still know them', async () => {
    const url = await redisUrl();
    await using one = await startNode(url);
    await using other = await startNode(url);
    expect(verdictOf(await one.lookUp(ID))).toBe('200');
    await other.records.optOuts.add(other.records.vault.optOutDigest(ID), '2026-11-15');
    await other.app.refresh();
    expect(verdictOf(await other.lookUp(ID))).toBe('404');
  });
});

const siteStore = (url: string, id: string) =>
  createTestStore(url, realSystem.clock, { id, url: 'https://second.test' });

const DAY_MS = 86_400_000;

/** Every name and every value in it, whole and in the parts that a thief would try. */
const textsIn = async (url: string, { records }: TestNode): Promise<readonly string[]> => {
  using store = siteStore(url, records.vault.siteId());
  await store.start();
  const read: Readonly<Record<string, (key: string) => string[]>> = {
    string: (key) => ['GET', key],
    hash: (key) => ['HGETALL', key],
    set: (key) => ['SMEMBERS', key],
    zset: (key) => ['ZRANGE', key, '0', '-1', 'WITHSCORES'],
    list: (key) => ['LRANGE', key, '0', '-1'],
  };
  const keys = (await store.send('KEYS', store.key('*'))) as string[];
  const values = await Promise.all(
    keys.map(async (key) => {
      const type = (await store.send('TYPE', key)) as string;
      return store.send(...(read[type]?.(key) ?? []));
    }),
  );
  const texts = [keys, values].flat(2).map(String);
  return texts.concat(texts.flatMap((text) => text.split(/[^\w-]+/)));
};

describe.skipIf(REDIS_MISSING !== null)('all that is in the store', () => {
  it('tells nobody without the keyring whether an address has been here', async () => {
    const url = await redisUrl();
    await using node = await startNode(url, { LOOKUPS_PER_DAY: '300' });
    expect(verdictOf(await node.lookUp(ID))).toBe('200');
    const texts = await textsIn(url, node);
    const isCounted = (secret: string): boolean => {
      const { narrow } = createVisitorKeys(() => secret)('127.0.0.1');
      return texts.includes(narrow.toString('hex', 0, 16));
    };
    expect(texts.filter(isCounted)).toEqual([]);
    // With it one can; by now it may be another day.
    const today = Math.floor(Date.now() / DAY_MS);
    expect([today - 1, today].map(node.records.vault.visitorSecret).some(isCounted)).toBe(true);
  });
});

describe.skipIf(REDIS_MISSING !== null)('a second site on the same store', () => {
  it('does not start, and one that finds itself there later is closed until the other is gone', async () => {
    const url = await redisUrl();
    await using node = await startNode(url);
    await addVanityLink(node, Date.now());
    await using second = startAppProcess({ SHARED_STATE_URL: url });
    const { exitCode, stderr } = await second.ended;
    expect(stderr).toMatch(
      /^Whoflake could not start\. The shared store is in use by another site \(http:.*; this one is [0-9a-f]{16}\): give each its own store/,
    );
    expect(exitCode).toBe(85);

    const proof = await node.proof();
    using ours = siteStore(url, node.records.vault.siteId());
    using theirs = siteStore(url, 'second');
    await ours.start();
    await ours.send('SET', ours.key('site'), 'second https://second.test');
    await expectClosed(node, proof);
    const sentence =
      /^The shared store is in use by another site \(https:\/\/second\.test, second; .*: give each/;
    await vi.waitFor(async () => expect((await readReadiness(node)).problem).toMatch(sentence), EVENTUALLY);
    expect(node.logs()).toContain('in use by another site');
    await theirs.start();
    await theirs.send('DEL', theirs.key('site'));
    theirs.close();
    await becomesReady(node);
    expect(verdictOf(await node.lookUp(ID))).toBe('200');
  });
});

/** What needs the store is refused; the rest goes on as if nothing had happened. */
const expectClosed = async (node: TestNode, proof: string): Promise<void> => {
  await vi.waitFor(async () => expect((await readReadiness(node)).status).toBe(503), EVENTUALLY);
  expect((await readReadiness(node)).problem).toMatch(/^The (?:connection to the )?shared store /);
  const refused = await Promise.all([
    node.ask('/challenge'),
    node.post('/lookup', { discord_id: ID, proof }),
    node.post('/donate-token', { token: sandbox.mintToken(7), proof }),
    node.post('/withdraw-token', { token: sandbox.mintToken(7), proof }),
  ]);
  expect(refused.map(verdictOf)).toEqual(Array(4).fill('503 store-unavailable'));
  for (const { headers } of refused) expect(headers['retry-after']).toBe('5');
  for (const path of ['/', '/status', '/status.json', '/healthz', '/assets/app-1a2b3c4d.js'])
    expect((await node.ask(path)).statusCode).toBe(200);
  expect((await node.ask('/lounge')).statusCode).toBe(302);
  expect((await readMetrics(node.app)).get('whoflake_shared_store_up')).toBe(0);
};

describe.skipIf(REDIS_MISSING !== null)('without its store', () => {
  it('a node is closed while it is silent, and goes on by itself', async () => {
    await using server = await startRedisServer();
    await using node = await startNode(server.url);
    await addVanityLink(node, Date.now());
    const proof = await node.proof();
    server.signal('SIGSTOP');
    // Whoever comes first waits for half a second, whatever they want.
    expect(verdictOf(await node.post('/lookup', { discord_id: ID, proof }))).toBe('503 store-unavailable');
    await expectClosed(node, proof);
    server.signal('SIGCONT');
    await becomesReady(node);
    expect(verdictOf(await node.post('/lookup', { discord_id: ID, proof: await node.proof() }))).toBe('200');
    expect((await readMetrics(node.app)).get('whoflake_shared_store_up')).toBe(1);
  });

  it('a node is closed while it is gone, and old proofs are void when it is back', async () => {
    const port = await freePort();
    const server = await startRedisServer({ port });
    await using node = await startNode(server.url);
    await addVanityLink(node, Date.now());
    const [spent, unspent] = [await node.proof(), await node.proof()];
    expect(verdictOf(await node.post('/lookup', { discord_id: ID, proof: spent }))).toBe('200');
    await server[Symbol.asyncDispose]();
    await expectClosed(node, unspent);
    await using _again = await startRedisServer({ port });
    await becomesReady(node);
    for (const proof of [spent, unspent])
      expect(verdictOf(await node.post('/lookup', { discord_id: ID, proof }))).toBe('403 proof-invalid');
    expect(verdictOf(await node.lookUp(ID))).toBe('200');
    expect(node.logs()).toContain('"event":"shared-store-lost"');
    expect(node.logs().match(/"event":"shared-store-lost"/g)).toHaveLength(1);
  });
});

describe('a start', () => {
  it.skipIf(REDIS_MISSING !== null)('ends where the password is wrong, and changes nothing', async () => {
    await using server = await startRedisServer({ settings: ['--requirepass', 'right'] });
    await using node = startAppProcess({ SHARED_STATE_URL: `redis://:hunter2@127.0.0.1:${server.port}` });
    const { exitCode, stderr } = await node.ended;
    expect(stderr).toMatch(
      /^Whoflake could not start\. .*does not accept our password: check the user name and the password.*\n$/,
    );
    expect(exitCode).toBe(85);
    expect(node.output()).not.toContain('hunter2');
  });

  it.skipIf(REDIS_MISSING !== null)('succeeds with a store, and ends cleanly', async () => {
    await using node = startAppProcess({ SHARED_STATE_URL: await redisUrl(), STOP_DELAY_SECONDS: '0' });
    expect((await fetch(`${await node.origin}/challenge`)).status).toBe(200);
    node.signal('SIGTERM');
    expect((await node.ended).exitCode).toBe(0);
  });
});
