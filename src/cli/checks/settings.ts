import { parseEnv } from 'node:util';
import { settingNames, type ParsedConfig } from '#server/config.ts';
import { nearest } from '../usage/nearest.ts';
import { findContradictions } from './contradictions.ts';
import { failed, warning, type SettingProblem } from './setting-problem.ts';
import { parseSystemdEnv } from './systemd-env.ts';

/** The file that settings come from, and what is in it. */
type SettingsFile = { readonly path: string; readonly text: string };

export type SettingsSource = {
  /** Null if all settings come from the environment. */
  readonly file: SettingsFile | null;
  /** All that the environment has, whatever it is for. */
  readonly names: readonly string[];
};

/** Read by what runs the server and not by the server itself. */
const OTHER_NAMES = ['NODE_ENV', 'WHOFLAKE_ENV_FILE', 'COMPOSE_PROJECT_NAME'];

/** All that is wrong with the settings, one sentence each; what keeps the server from starting comes first. */
export const findSettingProblems = (
  parsed: ParsedConfig,
  { file, names }: SettingsSource,
): readonly SettingProblem[] =>
  [
    ...(parsed.ok ? findContradictions(parsed.config) : parsed.problems.map(failed)),
    ...misspeltVariables(names, file),
    ...(file === null ? [] : [...unknownNames(file), ...exampleValues(file), ...readTwoWays(file)]),
  ].toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'));

const knownNames = (): readonly string[] => [...settingNames(), ...OTHER_NAMES];
const namesIn = ({ text }: SettingsFile): readonly string[] => Object.keys(parseEnv(text));

const unknownNames = (file: SettingsFile): SettingProblem[] => {
  const known = knownNames();
  return namesIn(file)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name.toUpperCase(), known);
      const remedy = meant === undefined ? 'check the spelling, or delete it' : `did you mean ${meant}?`;
      return warning(`${name}: unknown setting; ${remedy} ${place(file, name)}`);
    });
};

/** The environment is not ours alone: only what comes near the name of a setting is told, and short names come near anything. */
const misspeltVariables = (names: readonly string[], file: SettingsFile | null): SettingProblem[] => {
  const known = knownNames();
  const others = file === null ? [] : namesIn(file);
  return names
    .filter((name) => name.length >= 8 && !known.includes(name) && !others.includes(name))
    .flatMap((name) => {
      const meant = nearest(name.toUpperCase(), known);
      return meant === undefined ? [] : [warning(`${name}: unknown setting; did you mean ${meant}?`)];
    });
};

/** Of the file that we ship, to be replaced by the operator's own. */
const exampleValues = (file: SettingsFile): SettingProblem[] =>
  Object.entries(parseEnv(file.text))
    .filter(([, value = '']) => /(?:^|[/@.])example\.(?:org|com|net)\b/.test(value))
    .map(([name, value]) =>
      warning(`${name}: ${SECRETS.has(name) ? 'this' : value} is the example value ${place(file, name)}`),
    );

/** Their values are not for the screen. */
const SECRETS = new Set(['BOT_TOKENS', 'DATABASE_URL']);

/** Our unit leaves the file to the server; one with an `EnvironmentFile` would give it what systemd reads. */
const readTwoWays = (file: SettingsFile): SettingProblem[] => {
  const [node, systemd] = [parseEnv(file.text), parseSystemdEnv(file.text)];
  return Object.keys({ ...node, ...systemd })
    .filter((name) => node[name] !== systemd[name])
    .map((name) => {
      const [one, other] = [systemd[name], node[name]].map((value) => reading(name, value));
      return warning(
        `${name}: systemd reads ${one}, but Node reads ${other}: avoid comments after values, export, quotes and backslashes ${place(file, name)}`,
      );
    });
};

const reading = (name: string, value: string | undefined): string =>
  value === undefined ? 'nothing' : SECRETS.has(name) ? 'something' : JSON.stringify(value);

const place = ({ path, text }: SettingsFile, name: string): string => {
  const line = text
    .split('\n')
    .findIndex((line) => line.replace(/^\s*(?:export\s+)?/, '').match(/^[^\s=]*/)?.[0] === name);
  return `(line ${line + 1} of ${path})`;
};
