import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { OperatorError } from './operator-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
/** Throws an `OperatorError` whose remedy tells why it cannot be read. */
export type ReadFile = (path: string) => string;

/** Next to the program: anyone who can write there can change the program, too. The current folder may be anybody's. */
const OWN_FILE = join(import.meta.dirname, '../../.env');

export const settingsFileOf = (env: Environment): string | undefined =>
  env['WHOFLAKE_ENV_FILE'] ?? (existsSync(OWN_FILE) ? OWN_FILE : undefined);

type ParseItem<T> = (text: string) => { readonly value: T } | { readonly problem: string };

export type SettingReader = ReturnType<typeof createSettingReader>;

/** A wrong setting yields its default meanwhile. No problem shows a value: it may be a secret that went astray. */
export const createSettingReader = (env: Environment, readFile: ReadFile) => {
  const problems: string[] = [];
  const names = new Set<string>();
  const complain = (problem: string): void => void problems.push(problem);

  /** An empty variable counts as absent: that is how compose files spell "not set". */
  const raw = (name: string): string | undefined => {
    names.add(name);
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };

  const rawOrPath = (name: string) => {
    const both = { direct: raw(name), path: raw(`${name}_FILE`) };
    if (Object.values(both).every(Boolean)) complain(`${name} and ${name}_FILE: set one of them, not both.`);
    return both;
  };

  const read = <T>(name: string, expected: string, parse: (text: string) => T | undefined): T | null => {
    const text = raw(name);
    if (text === undefined) return null;
    const value = parse(text);
    if (value === undefined) complain(`${name}: expected ${expected}.`);
    return value ?? null;
  };

  const webAddress = (name: string): URL | null =>
    read(name, 'an address such as https://example.org, without user name, query or fragment', (text) => {
      const url = parseWebUrl(text);
      return url !== undefined && url.href === url.origin + url.pathname ? url : undefined;
    });

  const fileText = (name: string, path: string): string => {
    try {
      return readFile(path);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      complain(`${name}: the file cannot be read: ${error.remedy}`);
      return '';
    }
  };

  const items = <T>(place: string, parts: readonly string[], parseItem: ParseItem<T>): T[] =>
    parts.flatMap((part, index) => {
      const parsed = splitItems(part).map(parseItem);
      const wrong = parsed.find((item) => 'problem' in item);
      if (wrong !== undefined) complain(`${place} ${index + 1} ${wrong.problem}.`);
      return parsed.flatMap((item) => ('value' in item ? [item.value] : []));
    });
  const directItems = <T>(name: string, text: string, parseItem: ParseItem<T>): T[] =>
    items(`${name}: item`, splitItems(text), parseItem);

  return {
    text: (name: string, fallback: string): string => raw(name) ?? fallback,
    integer: (name: string, fallback: number, [min, max]: readonly [min: number, max: number]): number =>
      read(name, `a whole number from ${min} to ${max}`, (text) => {
        const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
        return number >= min && number <= max ? number : undefined;
      }) ?? fallback,
    choice: <T extends string>(name: string, options: readonly T[], fallback: T): T =>
      read(name, `one of ${options.join(', ')}`, (text) => options.find((option) => option === text)) ??
      fallback,
    url: (name: string, fallback: string): string =>
      withoutTrailingSlash(webAddress(name) ?? new URL(fallback)),
    optionalLink: (name: string): string | null =>
      read(name, 'a web address such as https://example.org/donate', (text) => parseWebUrl(text)?.href),
    /** Secrets are sent there. */
    optionalUrl: (name: string): string | null => {
      const url = webAddress(name);
      if (url?.protocol === 'http:' && !isLoopback(url.hostname))
        complain(`${name}: expected https (http is only allowed on this machine).`);
      return url && withoutTrailingSlash(url);
    },
    list: <T>(name: string, parseItem: ParseItem<T>): T[] => directItems(name, raw(name) ?? '', parseItem),
    secretList: <T>(name: string, parseItem: ParseItem<T>): T[] => {
      const { direct, path } = rawOrPath(name);
      return path === undefined
        ? directItems(name, direct ?? '', parseItem)
        : items(`${name}_FILE: line`, fileText(`${name}_FILE`, path).split('\n'), parseItem);
    },
    secretUrl: (name: string, problemOf: (text: string) => string | null): string | null => {
      const { direct, path } = rawOrPath(name);
      const text = path === undefined ? direct : fileText(`${name}_FILE`, path).trim();
      const problem = text === undefined ? null : problemOf(text);
      if (problem !== null) complain(`${name}: ${problem}.`);
      return text ?? null;
    },
    complain,
    problems: (): readonly string[] => problems,
    names: (): readonly string[] => [...names],
  };
};

const splitItems = (text: string): string[] => text.split(/[\s,]+/).filter((item) => item !== '');

const parseWebUrl = (text: string): URL | undefined => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
};

const withoutTrailingSlash = (url: URL): string => url.href.replace(/\/+$/, '');

export const isLoopback = (hostname: string): boolean => {
  const address = hostname.replace(/^\[|\]$/g, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
};
