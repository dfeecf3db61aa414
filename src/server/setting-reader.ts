import { isIP } from 'node:net';

export type Environment = Readonly<Record<string, string | undefined>>;
export type ReadFile = (path: string) => string;

type ParseItem<T> = (text: string) => { readonly value: T } | { readonly problem: string };

export type SettingReader = ReturnType<typeof createSettingReader>;

/** Reads settings one by one and collects what is wrong with them. A wrong one yields its default meanwhile. */
export const createSettingReader = (env: Environment, readFile: ReadFile) => {
  const problems: string[] = [];
  const names = new Set<string>();
  const complain = (problem: string): void => {
    problems.push(problem);
  };

  /** An empty variable counts as absent: that is how compose files spell "not set". */
  const raw = (name: string): string | undefined => {
    names.add(name);
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };

  /** A secret, or the file that it is in. */
  const rawOrPath = (name: string) => {
    const both = { direct: raw(name), path: raw(`${name}_FILE`) };
    if (Object.values(both).every(Boolean)) complain(`${name} and ${name}_FILE: set one of them, not both.`);
    return both;
  };

  /** Null if it is not set, or wrong. */
  const read = <T>(name: string, expected: string, parse: (text: string) => T | undefined): T | null => {
    const text = raw(name);
    if (text === undefined) return null;
    const value = parse(text);
    if (value === undefined) complain(`${name}: expected ${expected}${butNot(text)}.`);
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
      const { code = '' } = error as NodeJS.ErrnoException;
      // What is no path may be the secret itself.
      const file = path.includes('/') && !path.includes('://') ? path : 'the file';
      complain(`${name}: ${file} cannot be read${FILE_PROBLEMS[code] ?? ''}.`);
      return '';
    }
  };

  /** One complaint for a line, however many items are on it. */
  const fileItems = <T>(name: string, path: string, parseItem: ParseItem<T>): T[] =>
    fileText(name, path)
      .split('\n')
      .flatMap((line, index) => {
        const found: string[] = [];
        const values = items(line, parseItem, (problem) => found.push(problem));
        if (found[0] !== undefined) complain(`${name}: line ${index + 1} ${found[0]}.`);
        return values;
      });

  return {
    isSet: (name: string): boolean => raw(name) !== undefined,
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
    /** A page for people to open: any web address. */
    link: (name: string, fallback: string): string =>
      read(name, 'a web address such as https://example.org/donate', (text) => parseWebUrl(text)?.href) ??
      fallback,
    /** An address that secrets are sent to: https, or http on this machine. */
    optionalUrl: (name: string): string | null => {
      const url = webAddress(name);
      if (url?.protocol === 'http:' && !isLoopback(url.hostname))
        complain(`${name}: expected https (http is only allowed on this machine).`);
      return url && withoutTrailingSlash(url);
    },
    list: <T>(name: string, parseItem: ParseItem<T>): T[] =>
      items(raw(name) ?? '', parseItem, (problem) => complain(`${name}: ${problem}.`)),
    /** Like `list`, also from the file that `<name>_FILE` names. The problem names an item by its place. */
    secretList: <T>(name: string, parseItem: ParseItem<T>): T[] => {
      const { direct, path } = rawOrPath(name);
      return path === undefined
        ? items(direct ?? '', parseItem, (problem, place) => complain(`${name}: item ${place} ${problem}.`))
        : fileItems(`${name}_FILE`, path, parseItem);
    },
    /** An address with a password, also from the file that `<name>_FILE` names. Null if neither is set. */
    secretUrl: (name: string, isRight: (text: string) => boolean, example: string): string | null => {
      const { direct, path } = rawOrPath(name);
      const text = path === undefined ? direct : fileText(`${name}_FILE`, path).trim();
      if (text !== undefined && !isRight(text)) complain(`${name}: expected an address such as ${example}.`);
      return text ?? null;
    },
    complain,
    problems: (): readonly string[] => problems,
    /** The names of all settings read so far. */
    names: (): readonly string[] => [...names],
  };
};

const items = <T>(
  text: string,
  parseItem: ParseItem<T>,
  say: (problem: string, place: number) => void,
): T[] =>
  text
    .split(/[\s,]+/)
    .filter((item) => item !== '')
    .flatMap((item, index) => {
      const parsed = parseItem(item);
      if ('value' in parsed) return [parsed.value];
      say(parsed.problem, index + 1);
      return [];
    });

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: ': there is no such file',
  EACCES: ': this user may not read it',
  EISDIR: ': it is a folder',
};

const MAX_SHOWN = 100;
const MAY_BE_SECRET = /[\w-]{20}|@|:\/\/.*[?#]|[\p{Cc}\p{Cf}]/u;

/** What was set, unless it looks like a token, a key or a password that went astray. */
const butNot = (text: string): string =>
  text.length > MAX_SHOWN || MAY_BE_SECRET.test(text) ? '' : `, not ${JSON.stringify(text)}`;

const parseWebUrl = (text: string): URL | undefined => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
};

const withoutTrailingSlash = (url: URL): string => url.href.replace(/\/+$/, '');

const isLoopback = (hostname: string): boolean => {
  const address = hostname.replace(/^\[|\]$/g, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
};
