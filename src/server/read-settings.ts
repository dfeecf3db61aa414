import { existsSync, readFileSync } from 'node:fs';
import { parseConfig, type ParsedConfig } from './config.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import type { Environment } from './setting-reader.ts';

/**
 * Settings from the environment, and for what it does not name from a file: that of `WHOFLAKE_ENV_FILE`, else `.env`.
 * `env` must be the process's own.
 */
export const readSettings = (env: Environment): ParsedConfig => {
  const file = settingsFileOf(env);
  if (file !== undefined) loadEnvFile(file);
  return parseConfig(env, (path) => readFileSync(path, 'utf8'));
};

/** Where settings are that the environment does not name. */
export const settingsFileOf = (env: Environment): string | undefined =>
  env['WHOFLAKE_ENV_FILE'] ?? (existsSync('.env') ? '.env' : undefined);

const loadEnvFile = (file: string): void => {
  try {
    process.loadEnvFile(file);
  } catch {
    throw new OperatorError(
      EXIT.configuration,
      `The settings in ${file} cannot be read`,
      'check its name, and run this as a user who may read it.',
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
