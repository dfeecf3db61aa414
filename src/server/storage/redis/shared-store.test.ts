import { describe, expect, it, vi } from 'vitest';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { createTestStore, startTestStore } from '#test/support/shared-store.ts';
import { realSystem, type Clock } from '#server/system.ts';
import { defineScript } from './script.ts';
import { unavailable } from './session.ts';

const scriptOf = (lua: string) =>
  defineScript({ keys: ['key'], args: ['arg'], lua, reply: (reply) => reply });
const ECHO = scriptOf('return {key, arg}');
const SLOW = scriptOf('local n = 0 while n < 3e9 do n = n + 1 end return 1');
const input = (key = 'x', arg: string | number = 1) => ({ keys: { key }, args: { arg } });

describe.skipIf(REDIS_MISSING !== null)('a shared store', () => {
  it('runs scripts and commands, under the prefix of its site', async () => {
    await using server = await startRedisServer();
    using store = await startTestStore(`${server.url}/2?prefix=mine`);
    expect(store.problem()).toBeNull();
    expect(await store.run(ECHO, input(store.key('x'), 7))).toEqual(['mine:x', '7']);
    await store.send('SET', store.key('x'), 'here');
    using elsewhere = await startTestStore(server.url);
    expect(await elsewhere.send('GET', 'mine:x')).toBeNull();
    expect(store.calls.failed).toBe(0);
  });

  it('knows the time of Redis', async () => {
    using store = await startTestStore(await redisUrl());
    expect(Math.abs(store.storeNowMs() - Date.now())).toBeLessThan(1_000);
  });

  it('is not ready before every handshake is done, one for each process', async () => {
    using store = createTestStore(await redisUrl());
    const processes: string[] = [];
    store.onSession(async (session) => {
      await session.send('SET', store.key('process'), session.runId);
      expect(() => store.session()).toThrow(unavailable());
      processes.push(session.runId);
    });
    await store.start();
    expect(processes).toEqual([store.session().runId]);
    expect(await store.send('GET', store.key('process'))).toBe(processes[0]);
  });

  it('tries again when a handshake fails, and tells of the failure once', async () => {
    using store = createTestStore(await redisUrl());
    const mistake = new TypeError('a mistake of ours');
    store.onSession(
      vi
        .fn(async () => {})
        .mockRejectedValueOnce(mistake)
        .mockRejectedValueOnce(mistake),
    );
    await store.start();
    expect(store.told).toEqual(['TypeError: a mistake of ours', 'found']);
  });

  it('refuses at once while Redis is gone, and comes back by itself to another process', async () => {
    const port = await freePort();
    const server = await startRedisServer({ port });
    using store = await startTestStore(server.url);
    const before = store.session();
    await server[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(store.problem()).not.toBeNull(), EVENTUALLY);
    await expect(store.run(ECHO, input())).rejects.toThrow(unavailable());

    await using _again = await startRedisServer({ port });
    await vi.waitFor(() => expect(store.problem()).toBeNull(), EVENTUALLY);
    expect(store.session().runId).not.toBe(before.runId);
    expect(await store.run(ECHO, input())).toEqual(['x', '1']);
    // What began with the old process does not go on with the new one.
    await expect(before.send('PING')).rejects.toThrow(unavailable());
    expect(store.told).toEqual(['found', 'The connection to the shared store was lost', 'found']);
  });

  it('does not wait for a Redis that is silent, asked or not', async () => {
    await using server = await startRedisServer();
    using store = await startTestStore(server.url);
    server.signal('SIGSTOP');
    const asked = Array.from({ length: 50 }, () => store.send('PING'));
    const answers = await Promise.allSettled(asked);
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    await vi.waitFor(() => expect(store.told).toContain('The shared store does not answer'), EVENTUALLY);
    server.signal('SIGCONT');
    await vi.waitFor(() => expect(store.problem()).toBeNull(), EVENTUALLY);

    server.signal('SIGSTOP');
    await vi.waitFor(() => expect(store.problem()).not.toBeNull(), EVENTUALLY);
    server.signal('SIGCONT');
  });

  it('gives up a question while others keep the socket busy', async () => {
    await using server = await startRedisServer();
    using store = await startTestStore(server.url);
    const slow = expect(store.run(SLOW, input())).rejects.toThrow(unavailable());
    const flood = new AbortController();
    const write = async (): Promise<void> => {
      while (!flood.signal.aborted) await Promise.race([store.send('PING').catch(() => {}), turn()]);
    };
    const flooded = write();
    await slow;
    flood.abort();
    await flooded;
  });

  it.each([
    ['a replica', ['REPLICAOF', '127.0.0.1', '1'], 'The shared store is a replica, which takes no writes'],
    [
      'one that evicts',
      ['CONFIG', 'SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru'],
      'The shared store may forget what it must keep (maxmemory-policy allkeys-lru): set its maxmemory-policy to noeviction.',
    ],
  ])('leaves a Redis that becomes %s', async (_, command, problem) => {
    await using server = await startRedisServer();
    using store = await startTestStore(server.url);
    using operator = await startTestStore(server.url);
    await operator.send(...command);
    await vi.waitFor(() => expect(store.problem()).toBe(problem), EVENTUALLY);
    await expect(store.send('GET', 'x')).rejects.toThrow(unavailable());
  });

  it('leaves a demoted Redis with the first write that it refuses', async () => {
    await using server = await startRedisServer();
    using store = await startTestStore(server.url);
    await store.send('REPLICAOF', '127.0.0.1', '1');
    await expect(store.send('SET', 'x', '1')).rejects.toThrow(unavailable());
    await expect(store.send('GET', 'x')).rejects.toThrow(unavailable());
  });

  it('starts over when its scripts are forgotten', async () => {
    await using server = await startRedisServer();
    using store = await startTestStore(server.url);
    await store.run(ECHO, input());
    await store.send('SCRIPT', 'FLUSH');
    await expect(store.run(ECHO, input())).rejects.toThrow(unavailable());
    await vi.waitFor(() => expect(store.problem()).toBeNull(), EVENTUALLY);
    expect(await store.run(ECHO, input())).toEqual(['x', '1']);
  });

  it('is unavailable where memory is used up, and passes our own mistakes on', async () => {
    await using server = await startRedisServer({ settings: ['--maxmemory', '1mb'] });
    using store = await startTestStore(server.url);
    await expect(store.send('SET', 'x', 'x'.repeat(2 ** 20))).rejects.toThrow(unavailable());
    await expect(store.send('NONSENSE')).rejects.toThrow('ERR unknown command');
    expect(store.problem()).toBeNull();
    await expect(store.run(scriptOf('nonsense'), input())).rejects.toThrow('compiling script');
  });

  it('lets nothing open when it is closed, not even what is only being connected', async () => {
    await using server = await startRedisServer();
    using operator = await startTestStore(server.url);
    const clients = async () =>
      String(await operator.send('CLIENT', 'LIST'))
        .trim()
        .split('\n').length;
    const started = await startTestStore(server.url);
    expect(await clients()).toBe(2);
    const starting = createTestStore(server.url);
    starting.start().catch(() => {});
    for (const store of [started, starting]) store.close();
    await vi.waitFor(async () => expect(await clients()).toBe(1), EVENTUALLY);
    expect(starting.told).toEqual([]);
    expect(() => starting.session()).toThrow(unavailable());
  });
});

/** Lets the sockets be read. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe.skipIf(REDIS_MISSING !== null)('a start', () => {
  /** Without the seconds that a start waits for a store that is late. */
  const impatient: Clock = {
    ...realSystem.clock,
    after: (delayMs, task) => realSystem.clock.after(Math.min(delayMs, 1_000), task),
  };
  const refusal = (url: string, clock: Clock = realSystem.clock) =>
    startTestStore(url, clock).then(
      () => 'started',
      ({ message, exitCode }) => `${exitCode} ${message}`,
    );

  it('waits for a Redis that is late', async () => {
    const port = await freePort();
    using store = createTestStore(`redis://127.0.0.1:${port}`);
    const started = store.start();
    await vi.waitFor(() => expect(store.problem()).toMatch('ECONNREFUSED'), EVENTUALLY);
    await using _late = await startRedisServer({ port });
    await started;
    expect(store.problem()).toBeNull();
  });

  it('says that there is none', async () => {
    expect(await refusal(`redis://:hunter2@127.0.0.1:${await freePort()}`, impatient)).toBe(
      '86 The shared store cannot be reached (ECONNREFUSED): check SHARED_STATE_URL, and that Redis or Valkey is running there.',
    );
  });

  it('refuses one that is silent', async () => {
    await using server = await startRedisServer();
    server.signal('SIGSTOP');
    expect(await refusal(`${server.url}/1`, impatient)).toContain('no answer');
  });

  it.each([
    ['a wrong password', ':hunter2@', ['--requirepass', 'right'], 'does not accept our password'],
    ['no password', '', ['--requirepass', 'right'], 'does not accept our password'],
    [
      'a wrong policy',
      '',
      ['--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru'],
      'may forget what it must keep (maxmemory-policy volatile-lru)',
    ],
    ['a database that is not there', '', ['--databases', '1'], 'has no database of that number'],
    [
      'a user without rights',
      'me:pw@',
      ['--user', 'me', 'on', '>pw', '~*', '+@all', '-info'],
      'may not run a command that we need',
    ],
  ] as const)('refuses %s', async (_, login, settings, finding) => {
    await using server = await startRedisServer({ settings });
    const message = await refusal(`redis://${login}127.0.0.1:${server.port}/1`);
    expect(message).toContain(finding);
    expect(message).not.toContain('hunter2');
  });

  it('refuses a clock that is wrong', async () => {
    const clock = { ...realSystem.clock, wallMs: () => Date.now() - 25_000 };
    await expect(startTestStore(await redisUrl(), clock)).rejects.toThrow(
      /The clock of the shared store is 2\d s ahead of ours/,
    );
  });
});
