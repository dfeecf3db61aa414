import { parseEnv } from 'node:util';
import { parseConfig, type ParsedConfig } from './config.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import { settingsFileOf, type Environment } from './setting-reader.ts';
import { readOperatorsFile } from './storage/operators-file.ts';

export const readSettings = (env: Environment): ParsedConfig => parseSettings(withSettingsFile(env));

export const withSettingsFile = (env: Environment): Environment => {
  const file = settingsFileOf(env);
  return file === undefined ? env : { ...parseEnv(readOperatorsFile(file)), ...env };
};

export const parseSettings = (values: Environment): ParsedConfig => parseConfig(values, readOperatorsFile);

export const wrongSettings = (problems: readonly string[]): OperatorError =>
  new OperatorError(
    EXIT.configuration,
    [
      problems.length === 1 ? 'A setting is wrong:' : `${problems.length} settings are wrong:`,
      ...problems.map((problem) => `  ${problem}`),
    ].join('\n'),
  );
