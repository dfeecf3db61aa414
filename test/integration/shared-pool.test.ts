// @module-tag slow
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { unavailable } from '#server/storage/redis/session.ts';
import { readAdmin } from '#test/support/admin-client.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { usePostgres } from '#test/support/databases.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { distinctIds, verdictOf } from '#test/support/many-lookups.ts';
import { startOps } from '#test/support/ops-process.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestNode, type TestNode } from '#test/support/test-node.ts';
import { startTcpProxy } from '#test/suites/cluster/tcp-proxy.ts';

const postgres = usePostgres();
const sandbox = createSandbox({ notFoundShare: 0 });
const urls = await sandbox.listen();
afterAll(() => sandbox.close());

const botOf = (token: string): string => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
const usesOf = (token: string): number => sandbox.stats().byBot[botOf(token)] ?? 0;

const donate = async (node: TestNode, token: string) => {
  const answer = await node.post('/donate-token', { token, proof: await node.proof() });
  return { status: answer.statusCode, receipt: answer.json<{ receipt: string }>().receipt };
};
const withdraw = async (node: TestNode, receipt: string): Promise<number> =>
  (await node.post('/withdraw-token', { receipt, proof: await node.proof() })).statusCode;
/** What the store has of them, each node also knows: it cannot use a token that it has not opened yet. */
const becomeHealthy = (nodes: readonly TestNode[], count: number): Promise<void> =>
  vi.waitFor(async () => {
    for (const { pool } of nodes.map(({ app }) => app)) {
      expect(pool.counts().healthy + pool.counts().cooling).toBe(count);
      expect(await pool.list()).toHaveLength(count);
    }
  }, EVENTUALLY);

/** What nodes of one new site are started with. */
const beginSite = async (folder: string, sharedUrl: string) => {
  const env = {
    SHARED_STATE_URL: sharedUrl,
    DATABASE_URL: await (await postgres()).newDatabase(),
    KEYRING_FILE: join(folder, 'keyring.json'),
    BOT_TOKENS: '',
  };
  const { exitCode } = await startOps(['init'], { env: { ...env, DATA_DIR: folder } }).ended;
  expect(exitCode).toBe(0);
  return { sandbox, urls, env };
};

const missing = REDIS_MISSING ?? POSTGRES_MISSING;

describe.skipIf(missing !== null)('two nodes with one store and one database', () => {
  it('lend each other’s tokens, and neither uses one that was taken back', async () => {
    using folder = temporaryFolder();
    const url = await redisUrl();
    const site = await beginSite(folder.path, url);
    await using one = await startTestNode(site);
    await using other = await startTestNode(site);
    const nodes = [one, other];
    const [kept, lent] = [sandbox.mintToken(21), sandbox.mintToken(22)];
    expect((await donate(one, kept)).status).toBe(201);
    const { status, receipt } = await donate(one, lent);
    expect(status).toBe(201);
    await becomeHealthy(nodes, 2);
    for (const id of distinctIds(2)) expect(verdictOf(await other.lookUp(id))).toBe('200');
    expect([usesOf(kept) > 2, usesOf(lent) > 2]).toEqual([true, true]);

    const looking = Promise.all(distinctIds(6, 10).map((id, n) => (nodes[n % 2] ?? one).lookUp(id)));
    expect(await withdraw(other, receipt)).toBe(200);
    await looking;
    const before = usesOf(lent);
    const later = await Promise.all(distinctIds(6, 20).map((id, n) => (nodes[n % 2] ?? one).lookUp(id)));
    expect(later.some((answer) => verdictOf(answer) === '200')).toBe(true);
    expect(usesOf(lent)).toBe(before);
    await becomeHealthy(nodes, 1);
  });

  it('let a withdrawal be repeated that lost the store after its proof', async () => {
    using folder = temporaryFolder();
    const url = await redisUrl();
    const site = await beginSite(folder.path, url);
    await using one = await startTestNode(site);
    await using other = await startTestNode(site);
    const lent = sandbox.mintToken(23);
    const { receipt } = await donate(one, lent);
    await becomeHealthy([one, other], 1);
    vi.spyOn(one.app.pool, 'remove').mockRejectedValueOnce(unavailable());
    expect(await withdraw(one, receipt)).toBe(503);
    expect(await withdraw(one, receipt)).toBe(200);
    await becomeHealthy([one, other], 0);
    const before = usesOf(lent);
    for (const node of [one, other])
      expect(verdictOf(await node.lookUp(distinctIds(1, 30)[0] ?? ''))).toBe('503 pool-empty');
    expect(usesOf(lent)).toBe(before);
  });

  it('say at once that there is no token, where only the other has one', async () => {
    const url = await redisUrl();
    await using _other = await startTestNode({ sandbox, urls, env: { SHARED_STATE_URL: url } });
    const env = { SHARED_STATE_URL: url, BOT_TOKENS: '' };
    await using one = await startTestNode({ sandbox, urls, env });
    await vi.waitFor(() => expect(one.app.pool.counts().healthy).toBeGreaterThan(0), EVENTUALLY);
    expect(verdictOf(await one.lookUp(distinctIds(1, 40)[0] ?? ''))).toBe('503 pool-empty');
  });
});

describe.skipIf(missing !== null)('two nodes with one database and two stores', () => {
  const problemOf = async ({ app }: TestNode) => {
    const { status, text } = await readAdmin(app, '/readyz');
    const { shared_store_problem } = JSON.parse(text) as Record<string, unknown>;
    return { status, problem: shared_store_problem };
  };
  const SENTENCE =
    /\S+ uses the shared store 127\.0\.0\.1:\d+\/0\?prefix=\w+, but \S+, on the same records, uses another one \(127\.0\.0\.1:\d+\/0\?prefix=\w+\): set the same SHARED_STATE_URL on all nodes/;

  it('do not both start', async () => {
    using folder = temporaryFolder();
    const site = await beginSite(folder.path, await redisUrl());
    await using _one = await startTestNode(site);
    await using second = startAppProcess({ ...site.env, SHARED_STATE_URL: await redisUrl() });
    const { exitCode, stderr } = await second.ended;
    expect(stderr).toMatch(SENTENCE);
    expect(exitCode).toBe(85);
  });

  it('are not both ready if that happens later, and are again once they have one store', async () => {
    using folder = temporaryFolder();
    const url = await redisUrl();
    const port = Number(new URL(url).port);
    await using elsewhere = await startRedisServer();
    // The same store under another address, until that leads elsewhere.
    await using route = await startTcpProxy({ port, delayMs: 0, state: 'open' });
    const site = await beginSite(folder.path, url);
    const viaRoute = { ...site.env, SHARED_STATE_URL: url.replace(`:${port}`, `:${route.port}`) };
    await using one = await startTestNode(site);
    await using other = await startTestNode({ ...site, env: viaRoute });
    const nodes = [one, other];
    const readyNodes = async () =>
      (await Promise.all(nodes.map(problemOf))).filter(({ status }) => status === 200);
    expect(await readyNodes()).toHaveLength(2);

    route.steer({ port: elsewhere.port });
    await vi.waitFor(async () => {
      const problems = (await Promise.all(nodes.map(problemOf))).map(({ problem }) => problem);
      expect(problems).toContainEqual(expect.stringMatching(SENTENCE));
      expect(problems).toContain(null);
    }, EVENTUALLY);
    expect(nodes.map((node) => node.logs()).join('')).toMatch(SENTENCE);
    const refused = (await problemOf(one)).status === 200 ? other : one;
    expect(verdictOf(await refused.ask('/challenge'))).toBe('503 store-unavailable');

    route.steer({ port });
    await vi.waitFor(async () => expect(await readyNodes()).toHaveLength(2), EVENTUALLY);
  });
});
