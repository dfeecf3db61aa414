import { EXIT, OperatorError } from '#server/operator-error.ts';
import { remedyOfFault, StorageFault } from '../storage-fault.ts';
import { describeUrl } from './database-url.ts';

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
