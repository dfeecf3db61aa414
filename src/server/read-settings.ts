import { existsSync, readFileSync } from 'node:fs';
import { parseConfig, type ParsedConfig } from './config.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import type { Environment } from './setting-reader.ts';

/** Settings from the environment, and from `.env` for what it does not name. `env` must be the process's own. */
export const readSettings = (env: Environment): ParsedConfig => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return parseConfig(env, (path) => readFileSync(path, 'utf8'));
};

export const wrongSettings = (problems: readonly string[]): OperatorError =>
  new OperatorError(
    EXIT.configuration,
    [
      `The configuration is wrong in ${problems.length} place(s):`,
      ...problems.map((problem) => `  ${problem}`),
    ].join('\n'),
  );
