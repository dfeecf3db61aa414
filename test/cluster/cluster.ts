import { mkdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { startOps } from '#test/support/ops-process.ts';
import { startPostgresServer, type PostgresServer } from '#test/support/postgres-server.ts';
import { startSandboxProcess, type SandboxProcess } from '#test/support/sandbox-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createClusterNode, type ClusterNode } from './cluster-node.ts';
import { startSharedEngine, type SharedEngine } from './shared-engine.ts';

/** Several servers, both engines and the platform: each a process of its own. */
export type Cluster = AsyncDisposable & {
  readonly nodes: readonly ClusterNode[];
  readonly engine: SharedEngine;
  readonly postgres: PostgresServer;
  readonly sandbox: SandboxProcess;
  /** What a command needs to reach the records. */
  readonly env: Readonly<Record<string, string>>;
  /** Another site on a database of its own, begun as an operator begins one, with no node yet. */
  readonly beginSite: (sharedUrl: string) => Promise<Site>;
  /** Nodes that nobody has started yet; they end with the cluster. */
  readonly addNodes: (count: number, site: Site) => Promise<ClusterNode[]>;
};

/** What the nodes of one site have in common. */
export type Site = { readonly databaseUrl: string; readonly sharedUrl: string; readonly keyringFile: string };

export type ClusterOptions = {
  readonly nodes: number;
  /** How many tokens the operator has, and what the platform lets each of them do. */
  readonly tokens: number;
  readonly limit: number;
  readonly periodMs: number;
  readonly egressPerSecond: number;
};

const UNLIMITED = '10000000';

const settingsFor = (
  sandbox: SandboxProcess,
  tokensFile: string,
  egressPerSecond: number,
): Record<string, string> => ({
  DISCORD_API_URL: sandbox.apiUrl,
  DISCORD_CDN_URL: sandbox.cdnUrl,
  BOT_TOKENS_FILE: tokensFile,
  EGRESS_PER_SECOND: String(egressPerSecond),
  POW_MAX_NUMBER: '1000',
  // No proof runs out before it is sent again at the end.
  CHALLENGE_TTL_SECONDS: '3600',
  CHALLENGES_PER_MINUTE: UNLIMITED,
  LOOKUPS_PER_MINUTE: UNLIMITED,
  LOOKUPS_PER_DAY: UNLIMITED,
  // Every visitor has an address of its own, as if we were their proxy.
  TRUSTED_PROXIES: '127.0.0.1/32',
  LOG_LEVEL: 'warn',
});

/** It tells when requests arrive: what else the machine does must not make two seconds' worth arrive in one. */
const preferred = (sandbox: SandboxProcess): SandboxProcess => {
  try {
    setPriority(sandbox.pid, -15);
  } catch {
    // Only root may. Then a busy machine shows in the busiest second.
  }
  return sandbox;
};

const makeKeyring = async (env: Readonly<Record<string, string>>): Promise<void> => {
  const { exitCode, stderr, stdout } = await startOps(['vault', 'init'], { env }).ended;
  if (exitCode !== 0) throw new Error(`There is no keyring: ${stdout}${stderr}`);
};

export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { tokens, limit, periodMs, egressPerSecond } = options;
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(temporaryFolder());
  const sandbox = parts.use(
    preferred(await startSandboxProcess(['--limit', String(limit), '--period-ms', String(periodMs)])),
  );
  const postgres = parts.use(await startPostgresServer());
  const engine = parts.use(await startSharedEngine());
  const tokensFile = join(folder.path, 'bot-tokens');
  writeFileSync(tokensFile, (await sandbox.mintTokens(tokens, 0)).join('\n'), { mode: 0o600 });
  const settings = settingsFor(sandbox, tokensFile, egressPerSecond);
  const operatorFolder = join(folder.path, 'operator');
  mkdirSync(operatorFolder);

  let sites = 0;
  const envOf = ({ databaseUrl, sharedUrl, keyringFile }: Site): Record<string, string> => ({
    ...settings,
    DATABASE_URL: databaseUrl,
    SHARED_STATE_URL: sharedUrl,
    KEYRING_FILE: keyringFile,
    DATA_DIR: operatorFolder,
  });
  const beginSite: Cluster['beginSite'] = async (sharedUrl) => {
    sites += 1;
    const keyringFile = join(folder.path, `keyring-${sites}.json`);
    const site: Site = { databaseUrl: await postgres.newDatabase(), sharedUrl, keyringFile };
    await makeKeyring(envOf(site));
    return site;
  };
  const everyNode: ClusterNode[] = [];
  parts.defer(async () => void (await Promise.all(everyNode.map((node) => node.kill()))));
  const addNodes: Cluster['addNodes'] = async (many, site) => {
    for (let n = 0; n < many; n += 1) {
      const name = `node ${everyNode.length + 1}`;
      everyNode.push(await createClusterNode({ name, folder: folder.path, env: envOf(site) }));
    }
    return everyNode.slice(-many);
  };
  const site = await beginSite(engine.url);
  const nodes = await addNodes(options.nodes, site);
  await Promise.all(nodes.map((node) => node.start()));
  const all = parts.move();
  const env = envOf(site);
  return {
    nodes,
    engine,
    postgres,
    sandbox,
    env,
    beginSite,
    addNodes,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
};
