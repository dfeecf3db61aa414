import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient } from '@redis/client';
import { createServerClock, startRedisServer, type RedisServer } from '#test/support/redis-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTcpProxy, type Route } from './tcp-proxy.ts';

export type ClusterRedis = Awaited<ReturnType<typeof startClusterRedis>>;

const AOF = ['--appendonly', 'yes', '--appendfsync', 'everysec'];

const command = async (url: string, ...words: readonly string[]): Promise<string> => {
  const client = createClient({ url });
  await client.connect();
  try {
    return await client.sendCommand<string>([...words]);
  } finally {
    client.destroy();
  }
};

const caughtUp = async (replica: RedisServer): Promise<void> => {
  while (!/master_link_status:up/.test(await command(replica.url, 'INFO', 'replication')));
};

/** A TCP proxy in a process of its own. */
const startProxyProcess = async () => {
  const child = fork(fileURLToPath(import.meta.resolve('./tcp-proxy-main.ts')));
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    /** Resolves once it is in effect. */
    steer: async (change: Partial<Route>): Promise<void> => {
      const steered = once(child, 'message');
      child.send(change);
      await steered;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};

/** Redis as the nodes find it: at one address, whichever server is behind it. */
export const startClusterRedis = async () => {
  const folder = temporaryFolder();
  const proxy = await startProxyProcess();
  const clock = createServerClock(folder.path);
  let settings: readonly string[] = [];
  let server = await startRedisServer();
  await proxy.steer({ port: server.port, state: 'open' });

  /** Killed, and started again with what it had on disk. */
  const restart = async (change = {}): Promise<void> => {
    await server[Symbol.asyncDispose]();
    server = await startRedisServer({ port: server.port, folder: folder.path, settings, ...change });
  };
  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    signal: (name: NodeJS.Signals) => server.signal(name),
    /** Killed, and started again with nothing; from then on it keeps what it has on disk, if told to. */
    replace: async ({ keepsOnDisk } = { keepsOnDisk: false }): Promise<void> => {
      settings = keepsOnDisk ? AOF : [];
      await restart();
    },
    restart: () => restart(),
    /** Killed, and started again with nothing, and with a clock that can be set. */
    replaceWithClock: async (): Promise<void> => {
      settings = [];
      await restart({ env: clock.env });
    },
    setClockAhead: clock.setAhead,
    /** Slows the connection down, cuts it, or restores it. */
    steer: proxy.steer,
    /** Starts a replica, lets it catch up, cuts it off, waits, and promotes it. */
    promoteLaggingReplica: async (meanwhile: () => Promise<void>): Promise<void> => {
      const old = server;
      await using link = await startTcpProxy({ port: old.port, delayMs: 0, state: 'open' });
      const replica = await startRedisServer({ settings: ['--replicaof', '127.0.0.1', String(link.port)] });
      await caughtUp(replica);
      link.steer({ state: 'silent' });
      await meanwhile();
      await command(replica.url, 'REPLICAOF', 'NO', 'ONE');
      server = replica;
      settings = [];
      // For a moment both take writes, as when the old one has not noticed yet.
      await proxy.steer({ port: replica.port });
      await old[Symbol.asyncDispose]();
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
};
