import { existsSync } from 'node:fs';
import { settingsFileOf, type Environment } from '#server/setting-reader.ts';

/** Of our systemd unit. */
const UNIT_FILE = '/etc/whoflake/whoflake.env';

/** Separates `--env-file` from the arguments of the command. */
export const takeEnvFile = (argv: readonly string[]) => {
  const at = argv.findIndex((argument) => /^--env-file(?:=|$)/.test(argument));
  if (at === -1) return { argv, envFile: undefined };
  const joined = argv[at]?.slice('--env-file='.length) ?? '';
  return joined === ''
    ? { argv: argv.toSpliced(at, 2), envFile: argv[at + 1] ?? '' }
    : { argv: argv.toSpliced(at, 1), envFile: joined };
};

/** The installed server's file, if neither the environment nor the clone has settings of its own. */
export const settingsFile = (env: Environment): string | undefined =>
  settingsFileOf(env) ?? (existsSync(UNIT_FILE) ? UNIT_FILE : undefined);
