import { resolve } from 'node:path';
import type { Config } from '#server/config.ts';
import { createNodeStore } from '#server/nodes/node-store.ts';
import { describeRecords, inspectRecords, isDatabaseLost, recordsVersion } from '#server/open-records.ts';
import { readLastBackup, type LastBackup } from '#server/storage/last-backup.ts';
import { describeAge } from '../backups/series.ts';
import { checkSharedStore } from '../checks/connections.ts';
import { describeSource, type CommandContext, type RunCommand } from '../command.ts';
import { adminUrl, askReadiness, type Readiness } from '../running-server.ts';

export const status: RunCommand = async (context) => {
  const { config } = context;
  const records = (await isNew(config)) ? null : await countRecords(context);
  const backup = config.databaseUrl === null ? readLastBackup(config.dataDir) : null;
  const server = await askReadiness(config.admin);
  const sharedStore = await checkSharedStore(context);
  const source = await context.settingsSource();
  return {
    data: {
      data_dir: config.dataDir,
      settings_file: source.file?.path ?? null,
      records,
      backup,
      server,
      ...(sharedStore && { shared_store: { state: sharedStore.state, finding: sharedStore.finding } }),
    },
    lines: [
      ...(records === null
        ? [`There is no database in ${resolve(config.dataDir)} yet (${describeSource(source)}).`]
        : describeCounts(records, config)),
      `Backup       ${describeBackup(context, backup)}`,
      ...(sharedStore === null ? [] : [`Shared store ${sharedStore.finding}`]),
      ...describeServer(server, adminUrl(config.admin)),
    ],
    // Normal before the first start; after it, this is the wrong folder.
    state: records === null ? 'warning' : 'ok',
  };
};

const isNew = async (config: Config): Promise<boolean> =>
  config.databaseUrl === null && !isDatabaseLost(config) && (await inspectRecords(config)).kind === 'absent';

const describeCounts = (records: Counts, config: Config): string[] => [
  `Database     ${describeRecords(config)}, version ${records.version}`,
  `Tokens       ${records.tokens} stored, ${records.retired.platform} retired by the platform, ${records.retired.operator} removed by you`,
  `Keys         ${records.keys} on the keyring ${config.keyringFile}`,
  `Vanity links ${records.links.active} active, ${records.links.paused} paused`,
  `Opt-outs     ${records.opt_outs}`,
  ...(records.servers ?? []).map(
    ({ name, version, shared }) => `Runs on      ${name}, version ${version}${shared ? '' : ', alone'}`,
  ),
];

const describeBackup = ({ config, system }: CommandContext, last: LastBackup | null): string => {
  if (config.databaseUrl !== null) return 'with pg_dump; see ops backup';
  return last === null ? 'none scheduled' : `${describeAge(last, system.clock.wallMs())} ago: ${last.file}`;
};

type Counts = Awaited<ReturnType<typeof countRecords>>;

const countRecords = async (context: CommandContext) => {
  const { database, donatedTokens, vault, vanityLinks, optOuts, retirements } = await context.openRecords();
  const links = await vanityLinks.all();
  const active = links.filter(({ paused_because }) => paused_because === null).length;
  return {
    version: recordsVersion(context.config),
    tokens: [...(await donatedTokens.countByKey()).values()].reduce((sum, count) => sum + count, 0),
    retired: await retirements.count(),
    keys: vault.keys().length,
    links: { active, paused: links.length - active },
    opt_outs: (await optOuts.all()).length,
    ...(context.config.databaseUrl !== null && {
      servers: (await createNodeStore(database).live()).map(({ name, version, shared }) => ({
        name,
        version,
        shared,
      })),
    }),
  };
};

const describeServer = (server: Readiness | null, url: string): string[] => {
  if (server === null) return [`Server       no answer at ${url}`];
  const { ready, ...details } = server;
  return [
    `Server       ${ready ? 'ready' : 'not ready'} at ${url}`,
    ...Object.entries(details)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `             ${name}: ${describe(value)}`),
  ];
};

const describe = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, count]) => `${name} ${String(count)}`)
        .join(', ')
    : String(value);
