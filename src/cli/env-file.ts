import { existsSync } from 'node:fs';

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

/** The file of the installed server, unless this is a clone with settings of its own. */
export const unitFile = (): string | undefined =>
  !existsSync('.env') && existsSync(UNIT_FILE) ? UNIT_FILE : undefined;
