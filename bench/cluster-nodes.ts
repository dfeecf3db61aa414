import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOps } from '#test/support/ops-process.ts';
import { startPostgresServer } from '#test/support/postgres-server.ts';
import { startRedisServer } from '#test/support/redis-server.ts';
import { startSandboxProcess } from '#test/support/sandbox-process.ts';
import { temporaryFolder, type ChildServer } from './child-server.ts';
import { startProduct } from './http-servers.ts';

/** `fourSites`: four that have nothing to do with each other, each with a store of its own. */
export const SETUPS = ['embedded', 'oneNode', 'fourNodes', 'fourSites'] as const;
export type Setup = (typeof SETUPS)[number];

/** Servers, and what they share. */
export type Site = { readonly nodes: readonly ChildServer[]; readonly storePids: readonly number[] };

/** Sites that do the same work. */
export type ClusterNodes = AsyncDisposable & Readonly<Record<Setup, Site>>;

const TOKENS = 500;
/**
 * So much that neither the platform nor the cap ever makes anybody wait. Not more for each: a higher limit than usual is
 * not believed at first, and such a token rests for a second after each use.
 */
const PLENTY = ['--limit', '30', '--period-ms', '1000'];

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
    return { nodes, storePids: [redis.pid] };
  };
  const embedded = { nodes: [await start({})], storePids: [] };
  const oneNode = await startSite(1);
  const fourNodes = await startSite(4);
  const sites = [await startSite(1), await startSite(1), await startSite(1), await startSite(1)];
  const fourSites = {
    nodes: sites.flatMap(({ nodes }) => nodes),
    storePids: sites.flatMap(({ storePids }) => storePids),
  };
  const all = parts.move();
  return { embedded, oneNode, fourNodes, fourSites, [Symbol.asyncDispose]: () => all.disposeAsync() };
};
