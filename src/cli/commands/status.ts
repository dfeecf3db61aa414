import type { Config } from '#server/config.ts';
import { describeRecords } from '#server/open-records.ts';
import { createNodeStore } from '#server/storage/node-store.ts';
import { findLastBackup, type LastBackup } from '#server/storage/last-backup.ts';
import { SCHEMA_VERSION } from '#server/storage/migrations.ts';
import { readKeyring } from '#server/vault/keyring.ts';
import type { Finding } from '../checks/check.ts';
import { findServerProblems } from '../checks/server.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { describeDuration, inMb, plural } from '../output.ts';
import { badInput } from '../failure.ts';
import { askReadiness, type Readiness } from '../running-server.ts';

const FINE: Finding = { state: 'ok', finding: 'answers lookups' };

export const status: RunCommand = async (context, { flags: { forget } }) => {
  const { config } = context;
  if (typeof forget === 'string') await forgetServer(context, forget);
  // Without records the server may still answer from what it remembers.
  const [opened] = await Promise.allSettled([countRecords(context)]);
  const counts = opened.status === 'fulfilled' ? opened.value : null;
  const backup = findLastBackup(config);
  const server = await askReadiness(config.admin);
  const found = findServerProblems(server, config);
  const problem = found.find(({ state }) => state === 'failed');
  const answers: Finding[] = problem === undefined ? [FINE, ...found] : found;
  const { file } = await context.settingsSource();
  const facts = {
    ...(server !== null && factsOf(server)),
    ...(counts !== null && describeCounts(counts, config)),
    Backup: describeBackup(context, backup),
  };
  return {
    data: {
      serving: problem === undefined,
      problem: problem ?? null,
      data_dir: config.dataDir,
      settings_file: file?.path ?? null,
      records: counts,
      backup,
      server,
    },
    lines: [
      ...answers.map(
        ({ state, finding, remedy }) =>
          `${state.padEnd(12)} the server ${finding}${remedy === undefined ? '' : `: ${remedy}`}`,
      ),
      ...Object.entries(facts).map(([name, fact]) => fact !== '' && `${name.padEnd(12)} ${fact}`),
    ],
    state: problem === undefined ? 'ok' : 'failed',
    ...(opened.status === 'rejected' && { failure: opened.reason as unknown }),
  };
};

const describeCounts = (counts: Awaited<ReturnType<typeof countRecords>>, config: Config) => ({
  Database: `${describeRecords(config)}, version ${counts.version}`,
  Stored: `${plural(counts.token_count, 'token')}, ${counts.retired_token_count} retired by the platform, ${counts.removed_token_count} removed by you`,
  Keys: `${counts.key_count} on the keyring ${config.keyringFile}`,
  'Vanity links': `${counts.active_link_count} active, ${counts.paused_link_count} paused`,
  'Opt-outs': counts.opt_out_count,
  'Runs on': counts.servers.map(({ name, version }) => `${name} (version ${version})`).join(', '),
  Missing: counts.lost_servers.map(({ name, last_seen: at }) => `${name}, last seen at ${at}`).join('; '),
});

const describeBackup = ({ config, system }: CommandContext, last: LastBackup | null): string => {
  if (last !== null)
    return `${describeDuration(system.clock.wallMs() - Date.parse(last.at))} ago: ${last.file}`;
  return config.backupDir === null ? 'BACKUP_DIR is not set' : `none in ${config.backupDir}`;
};

const forgetServer = async (context: CommandContext, name: string): Promise<void> => {
  if (context.config.databaseUrl === null)
    throw badInput('--forget is for several servers', 'without DATABASE_URL there is one.');
  const { database } = await context.openRecords();
  if (!(await createNodeStore(database).forget(name)))
    throw badInput(`There is no server ${name} that is missed`, 'its name is in the output of ops status.');
};

/** A server of another version may not say all of it. */
const factsOf = (server: Readiness) => {
  const numbers = (name: string) => (server[name] ?? {}) as Readonly<Record<string, number>>;
  const { served = 0, refused = 0 } = numbers('lookups_last_hour');
  const { healthy, cooling, suspect, retired, waiting } = numbers('pool');
  const said = (name: string): string => String(server[name]);
  return {
    Version: `${said('version')}, up for ${describeDuration(Number(server['uptime_seconds']) * 1_000)}`,
    'Last hour': `${served} served, ${refused} refused`,
    Tokens: `${healthy} healthy, ${cooling} cooling, ${suspect} on hold, ${retired} retired; ${waiting} lookups waiting`,
    Invalid: `${said('invalid_requests')} of ${said('invalid_requests_limit')} in ten minutes`,
    Pace: `at most ${said('egress_per_second')} requests a second`,
    Disk: `${inMb(Number(server['disk_free_bytes']))} free`,
  };
};

const countRecords = async (context: CommandContext) => {
  const { database, donatedTokens, vanityLinks, optOuts, retirements } = await context.openRecords();
  const { platform, operator, last } = await retirements.count();
  const links = await vanityLinks.all();
  const active = links.filter(({ paused_because }) => paused_because === null).length;
  const nodes = context.config.databaseUrl === null ? null : createNodeStore(database);
  return {
    version: SCHEMA_VERSION,
    token_count: (await donatedTokens.outlines()).length,
    retired_token_count: platform,
    removed_token_count: operator,
    last_retirement: last,
    key_count: readKeyring(context.config.keyringFile)?.keys.length ?? 0,
    active_link_count: active,
    paused_link_count: links.length - active,
    opt_out_count: (await optOuts.all()).length,
    servers: ((await nodes?.live()) ?? []).map(({ name, version }) => ({ name, version })),
    lost_servers: (await nodes?.lost()) ?? [],
  };
};
