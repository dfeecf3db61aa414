import { EXIT, OperatorError } from '#server/operator-error.ts';
import { isLoopback } from '#server/setting-reader.ts';
import { remedyOfFault, StorageFault } from '../storage-fault.ts';

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

export const NO_TLS = 'no-tls';
export const NO_FILE = 'no-file';

/** Older ones are no longer maintained. */
const OLDEST_SERVER = 14;

type Refusal = readonly [finding: string, remedy: string];

const REFUSALS: Readonly<Record<string, Refusal>> = {
  '28P01': ['refused the password', 'check DATABASE_URL.'],
  '28000': ['refused this user', 'check DATABASE_URL, and pg_hba.conf on the server.'],
  '3D000': ['does not exist', 'create it with createdb, or check DATABASE_URL.'],
  '42501': [
    'does not let this user create tables',
    'make the user its owner, with alter database … owner to ….',
  ],
  [NO_TLS]: [
    'offers no encrypted connection',
    'turn on ssl on the server or, on a network of your own, set sslmode=disable in DATABASE_URL.',
  ],
  [NO_FILE]: [
    'cannot be connected to without a file that is missing or closed to this user',
    'check sslrootcert, sslcert and sslkey in DATABASE_URL.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'has a certificate for another name',
    'use a name that is in its certificate in DATABASE_URL.',
  ],
};

const CERTIFICATE = /CERT|SIGNATURE/;
const UNTRUSTED: Refusal = [
  'has a certificate that this machine does not trust',
  'name its authority with sslrootcert in DATABASE_URL.',
];

export const refusalOf = (error: unknown, url: string): unknown => {
  if (!(error instanceof StorageFault)) return error;
  const { code, message } = error;
  const place = `The PostgreSQL database ${describeUrl(url)}`;
  const [finding, remedy] = REFUSALS[code] ?? (CERTIFICATE.test(code) ? UNTRUSTED : []);
  if (finding !== undefined) return new OperatorError(EXIT.databaseUnusable, `${place} ${finding}`, remedy);
  return new OperatorError(
    EXIT.databaseUnreachable,
    `${place} cannot be used now: ${message.replace('PostgreSQL: ', '')}`,
    remedyOfFault(message),
  );
};

/** They speak PostgreSQL's protocol, but keep what must not outlive a crash, or have several primaries. */
const OTHER_ENGINES = { CockroachDB: /CockroachDB/, YugabyteDB: /-YB-/ };

/** `version` as in `server_version_num`: 150018 for 15.18. */
export const refuseServer = (
  server: { readonly engine: string; readonly version: number; readonly standby: boolean },
  url: string,
): void => {
  const place = `The PostgreSQL server of ${describeUrl(url)} is`;
  for (const [name, pattern] of Object.entries(OTHER_ENGINES))
    if (pattern.test(server.engine))
      throw new OperatorError(EXIT.databaseUnusable, `${place} ${name}`, 'PostgreSQL itself is needed.');
  const major = Math.floor(server.version / 10_000);
  if (major < OLDEST_SERVER)
    throw new OperatorError(
      EXIT.databaseUnusable,
      `${place} version ${major}`,
      `upgrade it: version ${OLDEST_SERVER} or newer is needed.`,
    );
  if (server.standby)
    throw new OperatorError(
      EXIT.databaseUnreachable,
      `${place} a standby, which cannot be written to`,
      'promote it, or set DATABASE_URL to the primary.',
    );
};
