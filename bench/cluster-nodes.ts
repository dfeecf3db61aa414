import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOps } from '#test/support/ops-process.ts';
import { startPostgresServer } from '#test/support/postgres-server.ts';
import { startRedisServer } from '#test/support/redis-server.ts';
import { startSandboxProcess } from '#test/support/sandbox-process.ts';
import { temporaryFolder, type ChildServer } from './child-server.ts';
import { startProduct } from './http-servers.ts';

export const SETUPS = ['embedded', 'oneNode', 'fourNodes'] as const;
export type Setup = (typeof SETUPS)[number];

/** Servers that share a store, or one by itself. */
export type Site = { readonly nodes: readonly ChildServer[]; readonly storePid: number | null };

/** Sites that do the same work. */
export type ClusterNodes = AsyncDisposable & Readonly<Record<Setup, Site>>;

const TOKENS = 500;
/** So much that neither the platform nor the cap ever makes anybody wait. */
const PLENTY = ['--limit', '100000', '--period-ms', '1000'];

const beginSite = async (env: Readonly<Record<string, string>>): Promise<void> => {
  const { exitCode, stderr } = await startOps(['vault', 'init'], { env }).ended;
  if (exitCode !== 0) throw new Error(`There is no keyring: ${stderr}`);
};

export const startClusterNodes = async (): Promise<ClusterNodes> => {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(temporaryFolder());
  const sandbox = parts.use(await startSandboxProcess(PLENTY));
  const postgres = parts.use(await startPostgresServer());
  const tokensFile = join(folder.path, 'bot-tokens');
  writeFileSync(tokensFile, (await sandbox.mintTokens(TOKENS, 0)).join('\n'), { mode: 0o600 });
  const settings = {
    DISCORD_API_URL: sandbox.apiUrl,
    DISCORD_CDN_URL: sandbox.cdnUrl,
    BOT_TOKENS_FILE: tokensFile,
    EGRESS_PER_SECOND: '10000',
  };
  let started = 0;
  const start = async (env: Readonly<Record<string, string>>): Promise<ChildServer> => {
    const dataDir = join(folder.path, `node-${(started += 1)}`);
    mkdirSync(dataDir);
    return parts.use(await startProduct(dataDir, { ...settings, ...env }));
  };
  const startSite = async (count: number): Promise<Site> => {
    const redis = parts.use(await startRedisServer());
    const site = {
      DATABASE_URL: await postgres.newDatabase(),
      SHARED_STATE_URL: redis.url,
      KEYRING_FILE: join(folder.path, `keyring-${redis.port}.json`),
    };
    await beginSite({ ...settings, ...site, DATA_DIR: folder.path });
    const nodes: ChildServer[] = [];
    for (let n = 0; n < count; n += 1) nodes.push(await start(site));
    return { nodes, storePid: redis.pid };
  };
  const embedded = { nodes: [await start({})], storePid: null };
  const oneNode = await startSite(1);
  const fourNodes = await startSite(4);
  const all = parts.move();
  return { embedded, oneNode, fourNodes, [Symbol.asyncDispose]: () => all.disposeAsync() };
};
