import { describe, expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { freePort } from '#test/support/free-port.ts';
import { useOperator } from '#test/support/operator.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { createTestStore } from '#test/support/shared-store.ts';
import type { Check } from './check.ts';

const site = useOperator();
const { ops, told, json, look } = site;

const storeCheck = async (url: string): Promise<Check | undefined> => {
  const { checks } = await json<{ checks: Check[] }>(['doctor'], { env: { SHARED_STATE_URL: url } });
  return checks.find(({ what }) => what === 'shared store');
};

it('neither doctor nor status says a word about a shared store where none is set', async () => {
  for (const command of ['doctor', 'status']) expect((await ops([command])).stdout).not.toMatch(/shared/i);
});

it('both say that no shared store answers, and no password', async () => {
  const env = { SHARED_STATE_URL: `redis://:hunter2@127.0.0.1:${await freePort()}` };
  expect(await storeCheck(env.SHARED_STATE_URL)).toMatchObject({
    state: 'failed',
    finding: 'The shared store cannot be reached (ECONNREFUSED)',
    remedy: 'check SHARED_STATE_URL, and that Redis or Valkey is running there.',
  });
  const { stdout } = await ops(['status'], { env });
  expect(stdout).toMatch(/^Shared store The shared store cannot be reached \(ECONNREFUSED\)$/m);
  expect(stdout).not.toContain('hunter2');
});

describe.skipIf(REDIS_MISSING !== null)('with a shared store', () => {
  it('doctor and status say where it is, its version and how far it is away, or that it is silent', async () => {
    await using server = await startRedisServer();
    const finding = expect.stringMatching(
      `^127\\.0\\.0\\.1:${server.port}, version \\d[.\\d]+, answers in \\d+\\.\\d ms$`,
    );
    expect(await storeCheck(server.url)).toEqual({ what: 'shared store', state: 'ok', finding });
    const env = { SHARED_STATE_URL: server.url };
    expect(await json(['status'], { env })).toMatchObject({ shared_store: { state: 'ok', finding } });
    expect((await ops(['status'], { env })).stdout).toMatch(/^Shared store 127\.0\.0\.1:/m);
    server.signal('SIGSTOP');
    expect(await storeCheck(server.url)).toMatchObject({
      state: 'failed',
      finding: 'The shared store does not answer',
    });
  });

  it('doctor names the other site that the store is used by, and a version it cannot share it with', async () => {
    const url = await redisUrl();
    using theirs = createTestStore(url, realSystem.clock, { id: 'theirs', url: 'https://theirs.test' });
    await theirs.start();
    expect(await storeCheck(url)).toMatchObject({
      state: 'failed',
      finding: expect.stringMatching(
        /^The shared store is in use by another site \(https:\/\/theirs\.test, theirs; this one is [0-9a-f]{16}\)$/,
      ),
      remedy: expect.stringContaining('?prefix=name in SHARED_STATE_URL'),
    });
    const siteId = await look(async ({ vault }) => vault.siteId());
    const ours = await redisUrl();
    using node = createTestStore(ours, realSystem.clock, { id: siteId, url: 'https://ours.test' });
    await node.start();
    expect(await storeCheck(ours)).toMatchObject({ state: 'ok' });
    await node.send('SET', node.key('{t}layout'), '999');
    expect(await storeCheck(ours)).toMatchObject({
      state: 'failed',
      finding: 'The shared store is in use by a version of Whoflake that keeps its tokens differently',
    });
  });

  it('commands count for all nodes, and know what all nodes know', async () => {
    await ops(['init']);
    const env = { SHARED_STATE_URL: await redisUrl() };
    const bad = site.sandbox.mintToken(1);
    site.sandbox.revoke(bad);
    expect(await told(['tokens', 'add'], { env, input: bad })).toContain('the platform rejected it');
    using node = createTestStore(env.SHARED_STATE_URL, realSystem.clock, {
      id: await look(async ({ vault }) => vault.siteId()),
      url: 'https://ours.test',
    });
    await node.start();
    expect(await node.send('ZCARD', node.key('{t}invalid'))).toBe(1);

    const until = String(node.storeNowMs() + 3_600_000);
    await node.send('HSET', node.key('{t}gate'), 'bannedUntil:getUser', until);
    const { requests } = site.sandbox.stats();
    for (const argv of [['tokens', 'add'], ['doctor']])
      expect(await told(argv, { env, input: site.sandbox.mintToken(2) })).toMatch(
        /The platform is not asked anything until 20\S+Z: it is blocking our address/,
      );
    expect(site.sandbox.stats().requests).toBe(requests);
  });

  const TO_DISK = /, and writes to disk what is not meant to be kept$/;

  it.each([
    ['warning', 'appends to a file', ['--appendonly', 'yes'], TO_DISK],
    ['warning', 'saves now and then', ['--save', '900 1'], TO_DISK],
    ['failed', 'may evict', ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'], /may forget/],
    ['failed', 'has another password', ['--requirepass', 'right'], /does not accept our password/],
  ])('doctor has a %s for one that %s', async (state, _, settings, finding) => {
    await using server = await startRedisServer({ settings });
    const remedy = 'turn persistence off in Redis or Valkey: save "" and appendonly no.';
    expect(await storeCheck(server.url)).toMatchObject({
      state,
      finding: expect.stringMatching(finding),
      remedy: state === 'warning' ? remedy : expect.any(String),
    });
  });
});
