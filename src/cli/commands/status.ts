import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DATABASE_FILE, isDatabaseLost } from '#server/open-records.ts';
import { readLastBackup } from '#server/storage/last-backup.ts';
import { SCHEMA_VERSIONS } from '#server/storage/migrate.ts';
import { describeAge } from '../backups/age.ts';
import { describeSource, type CommandContext, type RunCommand } from '../command.ts';
import { adminUrl, askReadiness } from '../running-server.ts';

export const status: RunCommand = async (context) => {
  const { config } = context;
  const isNew = !existsSync(join(config.dataDir, DATABASE_FILE)) && !isDatabaseLost(config);
  const records = isNew ? null : await countRecords(context);
  const last = readLastBackup(config.dataDir);
  const server = await askReadiness(config.admin);
  const source = await context.settingsSource();
  return {
    data: {
      data_dir: config.dataDir,
      settings_file: source.file?.path ?? null,
      records,
      backup: last,
      server,
    },
    lines: [
      ...(records === null
        ? [`There is no database in ${resolve(config.dataDir)} yet (${describeSource(source)}).`]
        : [
            `Database     in ${config.dataDir}, version ${records.version}`,
            `Tokens       ${records.tokens} stored, ${records.retired.platform} retired by the platform, ${records.retired.operator} removed by you`,
            `Keys         ${records.keys} on the keyring ${config.keyringFile}`,
            `Vanity links ${records.links.active} active, ${records.links.paused} paused`,
            `Opt-outs     ${records.opt_outs}`,
          ]),
      last === null
        ? 'Backup       none scheduled'
        : `Backup       ${describeAge(last, context.system.clock.wallMs())} ago: ${last.file}`,
      server === null
        ? `Server       no answer at ${adminUrl(config.admin)}`
        : `Server       ${server.ready ? 'ready' : 'not ready'} at ${adminUrl(config.admin)}`,
      ...Object.entries(server ?? {})
        .filter(([name]) => name !== 'ready')
        .map(([name, value]) => `             ${name}: ${describe(value)}`),
    ],
    // Before the first start that is as it should be; later it is the wrong folder.
    state: records === null ? 'warning' : 'ok',
  };
};

const countRecords = async (context: CommandContext) => {
  const { donatedTokens, vault, vanityLinks, optOuts, retirements } = await context.openRecords();
  const links = await vanityLinks.all();
  const active = links.filter(({ paused_because }) => paused_because === null).length;
  return {
    version: SCHEMA_VERSIONS.sqlite,
    tokens: [...(await donatedTokens.countByKey()).values()].reduce((sum, count) => sum + count, 0),
    retired: await retirements.count(),
    keys: vault.keys().length,
    links: { active, paused: links.length - active },
    opt_outs: (await optOuts.all()).length,
  };
};

const describe = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, count]) => `${name} ${String(count)}`)
        .join(', ')
    : String(value);
