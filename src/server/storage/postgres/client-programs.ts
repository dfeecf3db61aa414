import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getCACertificates } from 'node:tls';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { syncFile } from '../durable-file.ts';
import { parseDatabaseUrl } from './database-url.ts';

type Environment = Readonly<Record<string, string>>;

/** What PostgreSQL's own programs do for us. `searchPath`: where they are looked for, as in `PATH`. */
export const createClientPrograms = (searchPath: string) => {
  const run = async (program: string, args: readonly string[], env: Environment): Promise<void> => {
    const child = spawn(program, args, {
      env: { ...env, LC_ALL: 'C', PATH: searchPath },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = new Promise<number | null>((resolve, reject) => {
      child.once('exit', resolve).once('error', reject);
    });
    const [exitCode, said] = await Promise.all([exited, text(child.stderr)]).catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? notInstalled(program) : error;
    });
    if (exitCode !== 0) throw failureOf(program, said);
  };

  /** Every user of the machine can read the arguments of a program, but only its own user its environment. */
  const runConnected = async (url: string, program: string, args: readonly string[]): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'whoflake-'));
    try {
      await run(program, args, libpqEnvironment(url, join(folder, 'authorities.pem')));
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  return {
    /** Writes all of a database, as it is at one moment, into a new file that is on disk when it resolves. */
    dump: async (url: string, path: string): Promise<void> => {
      // Readable by us alone from the first byte on.
      closeSync(openSync(path, 'wx', 0o600));
      await runConnected(url, 'pg_dump', [
        '--format=custom',
        '--no-unlogged-table-data',
        '--lock-wait-timeout=60s',
        `--file=${path}`,
      ]);
      syncFile(path);
    },
    /** Reads all of a dump, without a database. */
    check: (path: string): Promise<void> => run('pg_restore', ['--file=/dev/null', path], {}),
    /** Fills an empty database with all of a dump, or leaves it empty. Whom its tables belonged to does not matter. */
    restore: (url: string, path: string): Promise<void> =>
      runConnected(url, 'pg_restore', [
        '--exit-on-error',
        '--single-transaction',
        '--no-owner',
        '--no-privileges',
        `--dbname=${decodeURIComponent(new URL(url).pathname.slice(1))}`,
        path,
      ]),
  };
};

export type ClientPrograms = ReturnType<typeof createClientPrograms>;

/**
 * The address as PostgreSQL's own programs read it, with nothing of our environment. They trust no authority unless a
 * file names it, so those that this process trusts are written to `authorities`.
 */
export const libpqEnvironment = (databaseUrl: string, authorities: string): Environment => {
  const parsed = parseDatabaseUrl(databaseUrl);
  if (!parsed.ok) throw new TypeError(parsed.problem);
  const { username, password, port, pathname, searchParams } = new URL(parsed.url);
  const query = Object.fromEntries(searchParams);
  if (query['sslmode'] !== 'disable' && query['sslrootcert'] === undefined) {
    writeFileSync(authorities, getCACertificates('default').join('\n'));
    query['sslrootcert'] = authorities;
  }
  const found = {
    PGHOST: query['host'],
    PGPORT: query['port'] || port,
    PGUSER: query['user'] || decodeURIComponent(username),
    PGPASSWORD: query['password'] || decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGOPTIONS: query['options'],
    PGSSLMODE: query['sslmode'],
    PGSSLROOTCERT: query['sslrootcert'],
    PGSSLCERT: query['sslcert'],
    PGSSLKEY: query['sslkey'],
    PGCONNECT_TIMEOUT: '10',
    PGAPPNAME: query['application_name'] ?? 'whoflake',
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => !!entry[1]));
};

const notInstalled = (program: string): OperatorError =>
  new OperatorError(
    EXIT.notInstalled,
    `${program} is not installed on this machine`,
    "install PostgreSQL's client programs, for example with apt-get install postgresql-client.",
  );

/** The first line only: those after it may quote what is stored. */
const failureOf = (program: string, said: string): OperatorError => {
  const [, why = 'it says nothing more'] = /^\w+: (?:error: |fatal: )?(.*)$/m.exec(said) ?? [];
  if (/version mismatch|unsupported version/.test(said))
    return new OperatorError(
      EXIT.notInstalled,
      `${program} on this machine is older than the PostgreSQL server or the backup`,
      'install the client programs of the newer version.',
    );
  return new OperatorError(EXIT.failed, `${program} failed (${why})`, 'see what PostgreSQL logged.');
};
