import { parseEnv } from 'node:util';
import { parseConfig, type ParsedConfig } from './config.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import { settingsFileOf, type Environment } from './setting-reader.ts';
import { readOperatorsFile } from './storage/operators-file.ts';

export const readSettings = (env: Environment): ParsedConfig => {
  const file = settingsFileOf(env);
  const inFile = file === undefined ? {} : parseEnv(readOperatorsFile(file));
  return parseConfig({ ...inFile, ...env }, readOperatorsFile);
};

export const wrongSettings = (problems: readonly string[]): OperatorError =>
  new OperatorError(
    EXIT.configuration,
    [
      problems.length === 1 ? 'A setting is wrong:' : `${problems.length} settings are wrong:`,
      ...problems.map((problem) => `  ${problem}`),
    ].join('\n'),
  );
