import { readAdminAt } from '#test/support/admin-client.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';
import { startSandboxProcess } from '#test/support/sandbox-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createVisitors } from './load/visitors.ts';

/** The server and its platform as they are deployed, each a process of its own, and those who visit it. */
export type World = Awaited<ReturnType<typeof startWorld>>;

type WorldOptions = {
  readonly tokens: number;
  readonly chaos?: number;
  readonly env?: Readonly<Record<string, string>>;
};

const UNLIMITED = '10000000';
/** For visitors that have one address. */
export const ROOMY = { LOOKUPS_PER_MINUTE: UNLIMITED };

/** For visitors who come one after the other, each with an address of their own, as if this were their proxy. */
export const DRIVEN = { EGRESS_PER_SECOND: '10000', POW_MAX_NUMBER: '1000', TRUSTED_PROXIES: '127.0.0.1/32' };

export const startWorld = async ({ tokens: count, chaos = 0, env = {} }: WorldOptions) => {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(temporaryFolder());
  const sandbox = parts.use(await startSandboxProcess(['--chaos', String(chaos)]));
  const tokens = await sandbox.mintTokens(count, 0);
  const adminPort = await freePort();
  const settings = {
    ADMIN_PORT: String(adminPort),
    DATA_DIR: folder.path,
    DISCORD_API_URL: `${sandbox.cdnUrl}/api/v10`,
    DISCORD_CDN_URL: sandbox.cdnUrl,
    BOT_TOKENS: tokens.join(','),
    ...DRIVEN,
    ...env,
  };
  const server = parts.use(startAppProcess(settings));
  const origin = await server.origin;
  const visitors = parts.use(createVisitors(() => origin));
  const all = parts.move();
  return {
    origin,
    /** For commands. */
    settings,
    server,
    sandbox,
    visitors,
    dataDir: folder.path,
    tokens,
    readAdmin: (path: string) => readAdminAt(adminPort, path),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
};
