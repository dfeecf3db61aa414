import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { parseConfig, type ParsedConfig } from './config.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import type { Environment } from './setting-reader.ts';

/** Settings from the environment, and for what it does not name from a file. */
export const readSettings = (env: Environment): ParsedConfig =>
  parseConfig(withSettingsFile(env), (path) => readFileSync(path, 'utf8'));

/** The environment with what the file adds: that of `WHOFLAKE_ENV_FILE`, else `.env`. */
export const withSettingsFile = (env: Environment): Environment => {
  const file = settingsFileOf(env);
  return file === undefined ? env : { ...readEnvFile(file), ...env };
};

/** Where settings are that the environment does not name. */
export const settingsFileOf = (env: Environment): string | undefined =>
  env['WHOFLAKE_ENV_FILE'] ?? (existsSync('.env') ? '.env' : undefined);

const readEnvFile = (file: string): Environment => {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new OperatorError(
      EXIT.configuration,
      `The settings in ${file} cannot be read`,
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'there is no such file; check its name.'
        : 'run this as a user who can, or as root with runuser -u whoflake -- in front.',
    );
  }
};

export const wrongSettings = (problems: readonly string[]): OperatorError =>
  new OperatorError(
    EXIT.configuration,
    [
      problems.length === 1 ? 'A setting is wrong:' : `${problems.length} settings are wrong:`,
      ...problems.map((problem) => `  ${problem}`),
    ].join('\n'),
  );
