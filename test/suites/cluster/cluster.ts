import { mkdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { startOps } from '#test/support/ops-process.ts';
import { startSandboxProcess, type SandboxProcess } from '#test/support/sandbox-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { ROOMY } from '../world.ts';
import { createClusterNode, type ClusterNode } from './cluster-node.ts';
import { startEngine } from './engine.ts';

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

type SiteSettings = Readonly<Record<string, string>>;

export type ClusterOptions = {
  readonly nodes: number;
  /** How many tokens the operator has, and what the platform lets each of them do. */
  readonly tokens: number;
  readonly limit: number;
  readonly periodMs: number;
  readonly egressPerSecond: number;
};

const settingsFor = (sandbox: SandboxProcess, tokensFile: string, egressPerSecond: number): SiteSettings => ({
  ...ROOMY,
  DISCORD_API_URL: `${sandbox.cdnUrl}/api/v10`,
  DISCORD_CDN_URL: sandbox.cdnUrl,
  BOT_TOKENS_FILE: tokensFile,
  EGRESS_PER_SECOND: String(egressPerSecond),
  POW_MAX_NUMBER: '1000',
  // Every visitor has an address of its own, as if we were their proxy.
  TRUSTED_PROXIES: '127.0.0.1/32',
  LOG_LEVEL: 'warn',
});

/** It counts requests by the second: a busy machine must not make two seconds' worth arrive in one. */
const prefer = ({ pid }: SandboxProcess): void => {
  try {
    setPriority(pid, -15);
  } catch {
    // Only root may. Then a busy machine shows in the busiest second.
  }
};

export const startCluster = async (options: ClusterOptions) => {
  const { tokens, limit, periodMs, egressPerSecond } = options;
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(temporaryFolder());
  const limits = ['--limit', String(limit), '--period-ms', String(periodMs)];
  const sandbox = parts.use(await startSandboxProcess(limits));
  prefer(sandbox);
  const engine = parts.use(await startEngine(options.nodes));
  const tokensFile = join(folder.path, 'bot-tokens');
  writeFileSync(tokensFile, (await sandbox.mintTokens(tokens, 0)).join('\n'), { mode: 0o600 });
  const settings = settingsFor(sandbox, tokensFile, egressPerSecond);
  const operatorFolder = join(folder.path, 'operator');
  mkdirSync(operatorFolder);

  let sites = 0;
  /** Another site on a database of its own, begun as an operator begins one, with no node yet. */
  const beginSite = async (): Promise<SiteSettings> => {
    sites += 1;
    const site = {
      ...settings,
      DATABASE_URL: await engine.newDatabase(),
      KEYRING_FILE: join(folder.path, `keyring-${sites}.json`),
      DATA_DIR: operatorFolder,
    };
    const { exitCode, stderr, stdout } = await startOps(['init'], { env: site }).ended;
    if (exitCode !== 0) throw new Error(`There is no keyring: ${stdout}${stderr}`);
    return site;
  };
  const everyNode: ClusterNode[] = [];
  parts.defer(async () => void (await Promise.all(everyNode.map((node) => node.kill()))));
  /** Servers that nobody has started yet; they end with the cluster. Without a site: one with all in memory. */
  const addNodes = async (
    count: number,
    envOf: (n: number) => SiteSettings = () => settings,
  ): Promise<readonly ClusterNode[]> => {
    for (let n = 0; n < count; n += 1) {
      const name = `node ${everyNode.length + 1}`;
      everyNode.push(await createClusterNode({ name, folder: folder.path, env: envOf(n) }));
    }
    return everyNode.slice(-count);
  };
  /** What a command needs to reach the records: through the door of the first server. */
  const site = await beginSite();
  const envOf = (n: number): SiteSettings => ({
    ...site,
    DATABASE_URL: engine.urlFor(site['DATABASE_URL'] ?? '', n),
  });
  const env = envOf(0);
  const nodes = await addNodes(options.nodes, envOf);
  await Promise.all(nodes.map((node) => node.start()));
  const all = parts.move();
  return {
    nodes,
    engine,
    sandbox,
    env,
    beginSite,
    addNodes,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
};
