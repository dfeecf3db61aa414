import { isIP } from 'node:net';

export type Environment = Readonly<Record<string, string | undefined>>;
export type ReadFile = (path: string) => string;

type ParseItem<T> = (text: string) => { readonly value: T } | { readonly problem: string };

/** Reads settings one by one and collects what is wrong with them. A wrong one yields its default meanwhile. */
export type SettingReader = {
  readonly isSet: (name: string) => boolean;
  readonly text: (name: string, fallback: string) => string;
  readonly integer: (name: string, fallback: number, range: readonly [min: number, max: number]) => number;
  readonly choice: <T extends string>(name: string, options: readonly T[], fallback: T) => T;
  readonly url: (name: string, fallback: string) => string;
  /** A page for people to open: any web address. */
  readonly link: (name: string, fallback: string) => string;
  /** An address that secrets are sent to: https, or http on this machine. */
  readonly optionalUrl: (name: string) => string | null;
  readonly list: <T>(name: string, parseItem: ParseItem<T>) => T[];
  /** Like `list`, also from the file that `<name>_FILE` names. The problem names an item by its place. */
  readonly secretList: <T>(name: string, parseItem: ParseItem<T>) => T[];
  readonly complain: (problem: string) => void;
  readonly problems: () => readonly string[];
  /** The names of all settings read so far. */
  readonly names: () => readonly string[];
};

export const createSettingReader = (env: Environment, readFile: ReadFile): SettingReader => {
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

  const integer: SettingReader['integer'] = (name, fallback, [min, max]) => {
    const value = raw(name);
    if (value === undefined) return fallback;
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    complain(`${name}: expected a whole number from ${min} to ${max}.`);
    return fallback;
  };

  const choice: SettingReader['choice'] = (name, options, fallback) => {
    const value = raw(name);
    const chosen = options.find((option) => option === value);
    if (value !== undefined && chosen === undefined)
      complain(`${name}: expected one of ${options.join(', ')}.`);
    return chosen ?? fallback;
  };

  const link = (name: string, fallback: string): string => {
    const value = raw(name);
    if (value === undefined) return fallback;
    const url = URL.parse(value);
    if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
    complain(`${name}: expected a web address such as https://example.org/donate.`);
    return fallback;
  };

  const webAddress = (name: string): URL | null => {
    const value = raw(name);
    if (value === undefined) return null;
    const url = URL.parse(value);
    if (url !== null && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname) return url;
    complain(
      `${name}: expected an address such as https://example.org, without user name, query or fragment.`,
    );
    return null;
  };

  const optionalUrl = (name: string): string | null => {
    const url = webAddress(name);
    if (url === null) return null;
    if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
      complain(`${name}: expected https (http is allowed on this machine only).`);
    }
    return withoutTrailingSlash(url);
  };

  const items = <T>(
    text: string,
    parseItem: ParseItem<T>,
    say: (problem: string, place: number) => void,
  ): T[] => {
    const texts = text.split(/[\s,]+/).filter((item) => item !== '');
    return texts.flatMap((item, index) => {
      const parsed = parseItem(item);
      if ('value' in parsed) return [parsed.value];
      say(parsed.problem, index + 1);
      return [];
    });
  };

  const secretText = (name: string): string => {
    const direct = raw(name);
    const path = raw(`${name}_FILE`);
    if (direct !== undefined && path !== undefined)
      complain(`${name} and ${name}_FILE: set one of them, not both.`);
    if (path === undefined) return direct ?? '';
    try {
      return readFile(path);
    } catch {
      complain(`${name}_FILE: the file cannot be read.`);
      return '';
    }
  };

  return {
    isSet: (name) => raw(name) !== undefined,
    text: (name, fallback) => raw(name) ?? fallback,
    integer,
    choice,
    url: (name, fallback) => withoutTrailingSlash(webAddress(name) ?? new URL(fallback)),
    link,
    optionalUrl,
    list: (name, parseItem) =>
      items(raw(name) ?? '', parseItem, (problem) => complain(`${name}: ${problem}.`)),
    secretList: (name, parseItem) =>
      items(secretText(name), parseItem, (problem, place) => complain(`${name}: item ${place} ${problem}.`)),
    complain,
    problems: () => problems,
    names: () => [...names],
  };
};

const withoutTrailingSlash = (url: URL): string => url.href.replace(/\/+$/, '');

const isLoopback = (hostname: string): boolean => {
  const address = hostname.replace(/^\[|\]$/g, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
};
