import { isLoopback } from '#server/setting-reader.ts';

type ParsedDatabaseUrl =
  | {
      readonly ok: true;
      /** TLS with a checked certificate or none at all, whatever the environment says. */
      readonly url: string;
      /** The password and the records cross a network unencrypted. */
      readonly isExposed: boolean;
    }
  /** Says nothing of the address, which has the password. */
  | { readonly ok: false; readonly problem: string };

const CERTIFICATES = ['sslrootcert', 'sslcert', 'sslkey'];
const PARAMETERS = ['host', 'port', 'user', 'password', 'application_name', 'options', 'sslmode'].concat(
  CERTIFICATES,
);
const SEVERAL_HOSTS = /^\w+:\/\/(?:[^@/?#]*@)?[^@/?#]*,/;
/** Whether TLS is on. To libpq some of these mean less checking, and others would be half on. */
const MODES: ReadonlyMap<string, boolean> = new Map([
  ['disable', false],
  ['require', true],
  ['verify-ca', true],
  ['verify-full', true],
]);

export const parseDatabaseUrl = (text: string): ParsedDatabaseUrl => {
  if (SEVERAL_HOSTS.test(text))
    return refuse('expected one host: an address that follows the primary, such as that of HAProxy');
  const url = URL.parse(text);
  const host = url && hostOf(url);
  if (!url || host === null)
    return refuse('expected an address such as postgres://user:password@host/database');
  const { searchParams } = url;
  const names = [...searchParams.keys()];
  if (new Set(names).size < names.length || names.some((name) => !PARAMETERS.includes(name)))
    return refuse(`expected no parameters but ${PARAMETERS.join(', ')}, each once at most`);
  const isHere = host.startsWith('/') || isLoopback(host);
  const tls = readTls(searchParams, isHere);
  if (typeof tls === 'string') return refuse(tls);
  searchParams.set('sslmode', tls ? 'verify-full' : 'disable');
  searchParams.set('host', host);
  return { ok: true, url: url.href, isExposed: !tls && !isHere };
};

/** Where the records are, without user and password. */
export const describeUrl = (url: string): string => {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return `${host === '' ? 'localhost' : host}${port === '' ? '' : `:${port}`}/${decodeURIComponent(pathname.slice(1))}`;
};

const readTls = (query: URLSearchParams, isHere: boolean): boolean | string => {
  const mode = query.get('sslmode');
  const hasCertificates = CERTIFICATES.some((name) => query.has(name));
  const tls = mode === null ? hasCertificates || !isHere : MODES.get(mode);
  if (tls === undefined) return 'expected sslmode to be verify-full, or disable on a network of your own';
  return !tls && hasCertificates ? 'expected no certificates with sslmode=disable' : tls;
};

const refuse = (problem: string): ParsedDatabaseUrl => ({ ok: false, problem });

const hostOf = (url: URL): string | null => {
  const { protocol, username, password, hostname, pathname, searchParams, hash } = url;
  const isDatabase = /^postgres(?:ql)?:$/.test(protocol) && pathname.length > 1 && hash === '';
  const isPort = /^\d{0,5}$/.test(searchParams.get('port') ?? '');
  // The driver reads the whole address in another way if a part of it cannot be decoded.
  const [host, ...others] = [hostname.replace(/^\[|\]$/g, ''), username, password, pathname].map(decode);
  if (!isDatabase || !isPort || host === undefined || others.includes(undefined)) return null;
  return searchParams.get('host') || host || 'localhost';
};

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
