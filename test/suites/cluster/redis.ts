import { createClient } from '@redis/client';
import { startRedisServer, type RedisServer } from '#test/support/redis-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startProxyProcess } from './proxy-process.ts';
import { startTcpProxy, type Route } from './tcp-proxy.ts';

/** Redis as the nodes find it: at one address, whichever server is behind it. */
export type ClusterRedis = AsyncDisposable & {
  readonly url: string;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Killed, and started again with nothing; from then on it keeps what it has on disk, if told to. */
  readonly replace: (options?: { readonly keepsOnDisk: boolean }) => Promise<void>;
  /** Killed, and started again with what it had on disk. */
  readonly restart: () => Promise<void>;
  /** Slows the connection down, cuts it, or restores it. */
  readonly steer: (change: Partial<Omit<Route, 'port'>>) => Promise<void>;
  /** Starts a replica, lets it catch up, cuts it off, waits, and promotes it. */
  readonly promoteLaggingReplica: (meanwhile: () => Promise<void>) => Promise<void>;
};

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

export const startClusterRedis = async (): Promise<ClusterRedis> => {
  const folder = temporaryFolder();
  const proxy = await startProxyProcess();
  let settings: readonly string[] = [];
  let server = await startRedisServer();
  await proxy.steer({ port: server.port, state: 'open' });

  const restart = async (): Promise<void> => {
    await server[Symbol.asyncDispose]();
    server = await startRedisServer({ port: server.port, folder: folder.path, settings });
  };
  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    signal: (name) => server.signal(name),
    replace: async ({ keepsOnDisk } = { keepsOnDisk: false }) => {
      settings = keepsOnDisk ? AOF : [];
      await restart();
    },
    restart,
    steer: proxy.steer,
    promoteLaggingReplica: async (meanwhile) => {
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
