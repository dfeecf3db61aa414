import { request } from 'undici';
import type { TrafficStats } from '#sandbox/api/traffic-stats.ts';
import { startAppProcess, type AppProcess } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';
import { startSandboxProcess } from '#test/support/sandbox-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** The server and its platform as they are deployed: each a process of its own. */
export type World = AsyncDisposable & {
  readonly origin: string;
  readonly server: AppProcess;
  readonly dataDir: string;
  readonly tokens: readonly string[];
  /** Tokens of other bots, that nobody has lent so far. */
  readonly mintTokens: (count: number, from: number) => Promise<string[]>;
  readonly sandboxStats: () => Promise<TrafficStats>;
  readonly readAdmin: (path: string) => Promise<{ readonly status: number; readonly text: string }>;
  /** Another start of the server over the same data, once the first one has ended. */
  readonly restart: () => AppProcess;
};

export type WorldOptions = {
  readonly chaos: number;
  readonly tokens: number;
  readonly env?: Readonly<Record<string, string>>;
};

export const startWorld = async ({ chaos, tokens: count, env = {} }: WorldOptions): Promise<World> => {
  const folder = temporaryFolder();
  const sandbox = await startSandboxProcess(['--chaos', String(chaos)]);
  const tokens = await sandbox.mintTokens(count, 0);
  const adminPort = await freePort();
  const start = (): AppProcess =>
    startAppProcess({
      ADMIN_PORT: String(adminPort),
      DATA_DIR: folder.path,
      DISCORD_API_URL: sandbox.apiUrl,
      DISCORD_CDN_URL: sandbox.cdnUrl,
      BOT_TOKENS: tokens.join(','),
      EGRESS_PER_SECOND: '10000',
      POW_MAX_NUMBER: '1000',
      // Every visitor has an address of its own, as if this were their proxy.
      TRUSTED_PROXIES: '127.0.0.1/32',
      ...env,
    });
  const server = start();
  const origin = await server.origin;
  return {
    origin,
    server,
    dataDir: folder.path,
    tokens,
    mintTokens: sandbox.mintTokens,
    sandboxStats: sandbox.stats,
    readAdmin: async (path) => {
      // A connection each, so that none is used while the other end is about to close it.
      const { statusCode, body } = await request(`http://127.0.0.1:${adminPort}${path}`, { reset: true });
      return { status: statusCode, text: await body.text() };
    },
    restart: start,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
};
