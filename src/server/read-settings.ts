import { closeSync, fstatSync, openSync, readFileSync, statSync, type Stats } from 'node:fs';
import { parseEnv } from 'node:util';
import { parseConfig, type ParsedConfig } from './config.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import { settingsFileOf, type Environment } from './setting-reader.ts';

export const readSettings = (env: Environment): ParsedConfig => {
  const file = settingsFileOf(env);
  const inFile = file === undefined ? {} : parseEnv(readOperatorsFile(file));
  return parseConfig({ ...inFile, ...env }, readOperatorsFile);
};

const SECRETS = ['BOT_TOKENS', 'DATABASE_URL', 'NOTIFY_URL'];

/** Files with secrets that everybody on this machine may read, but for what is mounted into a container. */
export const exposedFiles = (env: Environment): string[] => {
  const file = settingsFileOf(env);
  const inFile: Environment = file === undefined ? {} : parseEnv(readOperatorsFile(file));
  const all = { ...inFile, ...env };
  const files = SECRETS.map((name) => all[`${name}_FILE`] || (inFile[name] ? file : undefined));
  const isExposed = (path: string): boolean =>
    !path.startsWith('/run/secrets/') &&
    ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o004) !== 0;
  return [...new Set(files.filter((path) => path !== undefined))].filter(isExposed);
};

export const wrongSettings = (problems: readonly string[]): OperatorError =>
  new OperatorError(
    EXIT.configuration,
    [
      problems.length === 1 ? 'A setting is wrong:' : `${problems.length} settings are wrong:`,
      ...problems.map((problem) => `  ${problem}`),
    ].join('\n'),
  );

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check its name.',
  EACCES:
    'this user may not read it; run this as one who may, or as root with runuser -u whoflake -- in front.',
  EISDIR: 'it is a folder.',
};

type User = { readonly uid: number | undefined; readonly gid: number | undefined };

/** Settings and secrets decide where tokens go, so only root and we ourselves may have written them. */
export const readOperatorsFile = (
  path: string,
  user: User = { uid: process.geteuid?.(), gid: process.getegid?.() },
): string => {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    refuseOthers(path, fstatSync(file), user);
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : refusal(path, PROBLEMS[code] ?? `the system says ${code}.`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
};

/** Many systems give each user a group of their own, and let it write by default. */
const refuseOthers = (path: string, file: Stats, { uid, gid }: User): void => {
  if (uid === undefined) return;
  if (file.uid !== 0 && file.uid !== uid)
    throw refusal(path, 'it belongs to another user; give it to root, or run this as its owner.');
  const isOfOtherGroup = file.gid !== 0 && file.gid !== gid;
  if (!file.isCharacterDevice() && (file.mode & (isOfOtherGroup ? 0o022 : 0o002)) !== 0)
    throw refusal(path, 'others can write to it; run chmod go-w on it.');
};

const refusal = (path: string, remedy: string): OperatorError =>
  new OperatorError(EXIT.configuration, `The settings in ${path} cannot be read`, remedy);
