/** Where the shared store is, and which part of it is ours. */
export type StoreAddress = {
  readonly host: string;
  readonly port: number;
  /** With a certificate that is checked. */
  readonly tls: boolean;
  /** Empty if there is none, as the password. */
  readonly username: string;
  readonly password: string;
  readonly database: number;
  /** Several sites on one store are told apart by it, where there is but one database. */
  readonly prefix: string;
};

const SCHEME = /^(?:redis|valkey)(s?):$/;
const DATABASE = /^\/?(\d{0,4})$/;
const DEFAULT_PREFIX = 'wf';
const DEFAULT_PORT = 6379;

/** The name of a key, with the prefix of this site. */
export const storeKey = ({ prefix }: StoreAddress, name: string): string => `${prefix}:${name}`;

/** For the operator, without a password. */
export const describeStore = ({ host, port, database, prefix }: StoreAddress): string =>
  `${host}:${port}/${database}?prefix=${prefix}`;

/** Undefined if it is not such an address. */
export const parseStoreAddress = (text: string): StoreAddress | undefined => {
  const url = URL.parse(text);
  if (url === null || url.hostname === '' || url.hash !== '') return undefined;
  const [, secure] = SCHEME.exec(url.protocol) ?? [];
  const [, database] = DATABASE.exec(url.pathname) ?? [];
  const prefix = readPrefix(url.searchParams);
  const login = readLogin(url);
  if (secure === undefined || database === undefined || prefix === null || login === null) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || DEFAULT_PORT);
  return { host, port, tls: secure === 's', ...login, database: Number(database), prefix };
};

/** Null if something else, or something odd, is asked for. */
const readPrefix = (query: URLSearchParams): string | null => {
  const prefix = query.get('prefix') ?? DEFAULT_PREFIX;
  const isKnown = query.size === 0 || (query.size === 1 && query.has('prefix'));
  return isKnown && /^[\w-]{1,32}$/.test(prefix) ? prefix : null;
};

/** Null if it cannot be decoded. */
const readLogin = ({ username, password }: URL): Pick<StoreAddress, 'username' | 'password'> | null => {
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return null;
  }
};
