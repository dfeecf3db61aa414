import { readKeyring } from '#server/vault/keyring.ts';
import type { Config } from '#server/config.ts';
import { createNodeStore } from '#server/state/node-store.ts';
import { describeRecords } from '#server/open-records.ts';
import { EXIT, type OperatorError } from '#server/operator-error.ts';
import { SCHEMA_VERSION } from '#server/storage/migrations.ts';
import { findLastBackup, type LastBackup } from '#server/storage/last-backup.ts';
import { describeAge } from '../backups/series.ts';
import { describeLost } from '../checks/postgres.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { badInput } from '../refusals.ts';
import { asOperatorError } from '../failure.ts';
import { findServerProblem, findServerWarnings, type ServerProblem } from '../checks/server.ts';
import { describeDuration, type Line } from '../output.ts';
import type { Readiness } from '../running-server.ts';

const EXPLAINED = new Set<number>([EXIT.databaseUnreachable, EXIT.databaseMissing]);

export const status: RunCommand = async (context, { flags: { forget } }) => {
  const { config } = context;
  if (typeof forget === 'string') await forgetServer(context, forget);
  const found = await countOrExplain(context);
  const records = 'version' in found ? found : null;
  const backup = findLastBackup(config);
  const { server, problem } = await findServerProblem(config);
  const source = await context.settingsSource();
  return {
    data: {
      serving: problem === null,
      problem,
      data_dir: config.dataDir,
      settings_file: source.file?.path ?? null,
      records,
      backup: backup && { at: backup.at, file: backup.file },
      server,
      ...(!('version' in found) && { error: found.message }),
    },
    lines: [
      describeService(problem),
      ...(server === null ? [] : [...describeWarnings(server, config), ...describeServer(server)]),
      ...('version' in found ? describeCounts(found, config) : [found.message]),
      `Backup       ${describeBackup(context, backup)}`,
    ],
    state: problem === null && records !== null ? 'ok' : 'failed',
    exitCode: 'version' in found ? EXIT.failed : found.exitCode,
  };
};

const forgetServer = async (context: CommandContext, name: string): Promise<void> => {
  if (context.config.databaseUrl === null)
    throw badInput('--forget is for several servers', 'without DATABASE_URL there is one.');
  const { database } = await context.openRecords();
  if (!(await createNodeStore(database).forget(name)))
    throw badInput(`There is no server ${name} that is missed`, 'its name is in the output of ops status.');
};

const describeService = (problem: ServerProblem | null): Line =>
  problem === null
    ? { kind: 'state', text: 'ok           lookups are answered' }
    : { kind: 'state', text: `failed       the server ${problem.finding}: ${problem.remedy}` };

const describeWarnings = (server: Readiness, config: Config): Line[] =>
  findServerWarnings(server, config).map(({ finding, remedy }) => ({
    kind: 'state',
    text: `warning      the server ${finding}: ${remedy}`,
  }));

/** What a server of another version does not say is left out. */
const describeServer = (server: Readiness): string[] => {
  const numbers = (name: string) => (server[name] ?? {}) as Readonly<Record<string, number>>;
  const { served, refused } = numbers('lookups_last_hour');
  const { healthy, cooling, suspect, retired, waiting } = numbers('pool');
  const { version, uptime_seconds: uptime, disk_free_bytes: free } = server;
  return [
    typeof version === 'string' &&
      `Version      ${version}, up for ${describeDuration(Number(uptime) * 1_000)}`,
    served !== undefined && `Last hour    ${served} served, ${refused} refused`,
    healthy !== undefined &&
      `Tokens       ${healthy} healthy, ${cooling} cooling, ${suspect} on hold, ${retired} retired; ${waiting} lookups waiting`,
    `Invalid      ${String(server['invalid_requests'])} of ${String(server['invalid_requests_limit'])} in ten minutes`,
    `Pace         at most ${String(server['egress_per_second'])} requests a second`,
    typeof free === 'number' && `Disk         ${Math.floor(free / 1024 / 1024)} MB free`,
  ].filter((line) => line !== false);
};

/** That there is no database, or that PostgreSQL is gone, is an answer, too. */
const countOrExplain = async (context: CommandContext): Promise<Counts | OperatorError> => {
  try {
    return await countRecords(context);
  } catch (error) {
    const expected = asOperatorError(error);
    if (expected === null || !EXPLAINED.has(expected.exitCode)) throw error;
    return expected;
  }
};

const describeCounts = (records: Counts, config: Config): string[] => [
  `Database     ${describeRecords(config)}, version ${records.version}`,
  `Stored       ${records.token_count} tokens, ${records.retired_token_count} retired by the platform, ${records.removed_token_count} removed by you`,
  `Keys         ${records.key_count} on the keyring ${config.keyringFile}`,
  `Vanity links ${records.active_link_count} active, ${records.paused_link_count} paused`,
  `Opt-outs     ${records.opt_out_count}`,
  ...(records.servers ?? []).map(({ name, version }) => `Runs on      ${name}, version ${version}`),
  ...(records.lost_servers?.length
    ? [`Servers      ${describeLost(records.servers?.length ?? 0, records.lost_servers)}`]
    : []),
];

const describeBackup = ({ system }: CommandContext, last: LastBackup | null): string =>
  last === null ? 'none scheduled' : `${describeAge(last, system.clock.wallMs())} ago: ${last.file}`;

type Counts = Awaited<ReturnType<typeof countRecords>>;

const countRecords = async (context: CommandContext) => {
  const { database, donatedTokens, vanityLinks, optOuts, retirements } = await context.openRecords();
  const { platform, operator, last: last_retirement } = await retirements.count();
  const links = await vanityLinks.all();
  const active = links.filter(({ paused_because }) => paused_because === null).length;
  return {
    version: SCHEMA_VERSION,
    token_count: (await donatedTokens.outlines()).length,
    retired_token_count: platform,
    removed_token_count: operator,
    last_retirement,
    key_count: readKeyring(context.config.keyringFile)?.keys.length ?? 0,
    active_link_count: active,
    paused_link_count: links.length - active,
    opt_out_count: (await optOuts.all()).length,
    ...(context.config.databaseUrl !== null && {
      servers: (await createNodeStore(database).live()).map(({ name, version }) => ({ name, version })),
      lost_servers: await createNodeStore(database).lost(),
    }),
  };
};
