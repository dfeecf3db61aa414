import type { Config } from '#server/config.ts';
import { describeRecords } from '#server/open-records.ts';
import { EXIT, type OperatorError } from '#server/operator-error.ts';
import { createNodeStore } from '#server/storage/node-store.ts';
import { findLastBackup, type LastBackup } from '#server/storage/last-backup.ts';
import { SCHEMA_VERSION } from '#server/storage/migrations.ts';
import { readKeyring } from '#server/vault/keyring.ts';
import { describeLost } from '../checks/postgres.ts';
import { findServerProblem, findServerWarnings } from '../checks/server.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { asOperatorError } from '../failure.ts';
import { describeDuration, plural, type Line } from '../output.ts';
import { badInput } from '../refusals.ts';
import type { Readiness } from '../running-server.ts';

const EXPLAINED = new Set<number>([EXIT.databaseUnreachable, EXIT.databaseMissing]);

export const status: RunCommand = async (context, { flags: { forget } }) => {
  const { config } = context;
  if (typeof forget === 'string') await forgetServer(context, forget);
  const found = await countOrExplain(context);
  const isRead = 'version' in found;
  const backup = findLastBackup(config);
  const { server, problem } = await findServerProblem(config);
  const { file } = await context.settingsSource();
  return {
    data: {
      serving: problem === null,
      problem,
      data_dir: config.dataDir,
      settings_file: file?.path ?? null,
      records: isRead ? found : null,
      backup,
      server,
      ...(!isRead && { error: found.message }),
    },
    lines: [
      problem === null
        ? line('ok           lookups are answered')
        : line(`failed       the server ${problem.finding}: ${problem.remedy}`),
      ...(server === null ? [] : [...warningsOf(server, config), ...describeServer(server)]),
      ...(isRead ? describeCounts(found, config) : [found.message]),
      `Backup       ${describeBackup(context, backup)}`,
    ],
    state: problem === null && isRead ? 'ok' : 'failed',
    exitCode: isRead ? EXIT.failed : found.exitCode,
  };
};

const line = (text: string): Line => ({ kind: 'state', text });

const warningsOf = (server: Readiness, config: Config): Line[] =>
  findServerWarnings(server, config).map(({ finding, remedy }) =>
    line(`warning      the server ${finding}: ${remedy}`),
  );

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

/** What a server of another version does not say is left out. */
const describeServer = (server: Readiness): (string | false)[] => {
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
  ];
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

const describeCounts = (records: Counts, config: Config): (string | false)[] => [
  `Database     ${describeRecords(config)}, version ${records.version}`,
  `Stored       ${plural(records.token_count, 'token')}, ${records.retired_token_count} retired by the platform, ${records.removed_token_count} removed by you`,
  `Keys         ${records.key_count} on the keyring ${config.keyringFile}`,
  `Vanity links ${records.active_link_count} active, ${records.paused_link_count} paused`,
  `Opt-outs     ${records.opt_out_count}`,
  ...(records.servers ?? []).map(({ name, version }) => `Runs on      ${name}, version ${version}`),
  records.lost_servers !== undefined &&
    records.lost_servers.length > 0 &&
    `Servers      ${describeLost(records.servers?.length ?? 0, records.lost_servers)}`,
];

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
