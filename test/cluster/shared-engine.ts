import { createClient } from '@redis/client';
import { startRedisServer, type RedisServer } from '#test/support/redis-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startProxyProcess } from './proxy-process.ts';
import { startTcpProxy, type Way } from './tcp-proxy.ts';

/** The shared store as the nodes find it: at one address, whatever stands behind it. */
export type SharedEngine = AsyncDisposable & {
  readonly url: string;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Killed, and started again with nothing; from then on it keeps what it has on disk, if told to. */
  readonly replace: (options?: { readonly keepsOnDisk: boolean }) => Promise<void>;
  /** Killed, and started again with what it had on disk. */
  readonly restart: () => Promise<void>;
  /** What the way there is like. */
  readonly steer: (change: Partial<Omit<Way, 'port'>>) => Promise<void>;
  /** Starts a replica, lets it catch up, cuts it off, waits, and puts it in the place of the one it copied. */
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

export const startSharedEngine = async (): Promise<SharedEngine> => {
  const folder = temporaryFolder();
  const proxy = await startProxyProcess();
  let settings: readonly string[] = [];
  let server = await startRedisServer();

  const begin = async (): Promise<void> => {
    server = await startRedisServer({ port: server.port, folder: folder.path, settings });
  };
  await proxy.steer({ port: server.port, state: 'open' });

  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    signal: (name) => server.signal(name),
    replace: async ({ keepsOnDisk } = { keepsOnDisk: false }) => {
      settings = keepsOnDisk ? AOF : [];
      await server[Symbol.asyncDispose]();
      await begin();
    },
    restart: async () => {
      await server[Symbol.asyncDispose]();
      await begin();
    },
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
