import { describe, expect, it } from 'vitest';
import { freePort } from '#test/support/free-port.ts';
import { startOperator, type Operator } from '#test/support/operator.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import type { Check } from './check.ts';

const storeCheck = async ({ json }: Operator, url: string): Promise<Check | undefined> => {
  const { checks } = await json<{ checks: Check[] }>(['doctor'], { env: { SHARED_STATE_URL: url } });
  return checks.find(({ what }) => what === 'shared store');
};

describe('without a shared store', () => {
  it('neither doctor nor status says a word about one', async () => {
    await using operator = await startOperator();
    for (const command of ['doctor', 'status'])
      expect((await operator.ops([command])).stdout).not.toMatch(/shared/i);
  });

  it('both say that none answers where one should, and no password', async () => {
    await using operator = await startOperator();
    const port = await freePort();
    const env = { SHARED_STATE_URL: `redis://:hunter2@127.0.0.1:${port}` };
    expect(await storeCheck(operator, env.SHARED_STATE_URL)).toMatchObject({
      state: 'failed',
      finding: 'The shared store cannot be reached (ECONNREFUSED)',
      remedy: 'check SHARED_STATE_URL, and that Redis or Valkey is running there.',
    });
    const { stdout } = await operator.ops(['status'], { env });
    expect(stdout).toMatch(/^Shared store The shared store cannot be reached \(ECONNREFUSED\)$/m);
    expect(stdout).not.toContain('hunter2');
  });
});

describe.skipIf(REDIS_MISSING !== null)('with a shared store', () => {
  it('doctor and status say where it is, its version and how far it is away', async () => {
    await using server = await startRedisServer();
    await using operator = await startOperator();
    const finding = new RegExp(
      `^127\\.0\\.0\\.1:${server.port}, version \\d[.\\d]+, answers in \\d+\\.\\d ms$`,
    );
    expect(await storeCheck(operator, server.url)).toEqual({
      what: 'shared store',
      state: 'ok',
      finding: expect.stringMatching(finding),
    });
    const env = { SHARED_STATE_URL: server.url };
    expect(await operator.json(['status'], { env })).toMatchObject({
      shared_store: { state: 'ok', finding: expect.stringMatching(finding) },
    });
    expect((await operator.ops(['status'], { env })).stdout).toMatch(/^Shared store 127\.0\.0\.1:/m);
  });

  it.each([
    ['appends to a file', ['--appendonly', 'yes']],
    ['saves now and then', ['--save', '900 1']],
  ])('doctor warns of one that %s', async (_, settings) => {
    await using server = await startRedisServer({ settings });
    await using operator = await startOperator();
    expect(await storeCheck(operator, server.url)).toMatchObject({
      state: 'warning',
      finding: expect.stringMatching(/, and writes to disk what is not meant to be kept$/),
      remedy: 'turn persistence off in Redis or Valkey: save "" and appendonly no.',
    });
  });

  it.each([
    ['that may evict', ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'], 'may forget'],
    ['with another password', ['--requirepass', 'right'], 'does not accept our password'],
  ])('doctor finds fault with one %s', async (_, settings, finding) => {
    await using server = await startRedisServer({ settings });
    await using operator = await startOperator();
    expect(await storeCheck(operator, server.url)).toMatchObject({
      state: 'failed',
      finding: expect.stringContaining(finding),
    });
  });

  it('doctor finds fault with one that is silent', async () => {
    await using server = await startRedisServer();
    await using operator = await startOperator();
    server.signal('SIGSTOP');
    expect(await storeCheck(operator, server.url)).toMatchObject({
      state: 'failed',
      finding: 'The shared store does not answer',
    });
  });
});
