import { sql } from 'kysely';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '../database.ts';
import type { System } from '#server/system.ts';
import { StorageFault } from '../storage-fault.ts';
import { patiently } from './postgres-database.ts';
import { describeUrl } from './refusals.ts';

const DAY_MS = 86_400_000;
/** PostgreSQL cuts off what comes after 63 bytes, and each name ends with a time of ours. */
const LONGEST_START = 30;

const nameIn = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

/** The address of another database on the same server. */
const siblingUrl = (url: string, name: string): string => {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  return other.href;
};

/** Names that sort by time. */
const nameAfter = (url: string, what: string, wallMs: number): string =>
  `${nameIn(url).slice(0, LONGEST_START)}_${what}_${new Date(wallMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()}z`;
const TRIAL_END = '_trial_\\d{8}t\\d{6}z_[0-9a-f]{6}$';

/** An empty database like the one at `url`, on the same server; deleted after `use` unless that has renamed it. */
export const withScratchDatabase = async <T>(
  url: string,
  { clock, random }: Pick<System, 'clock' | 'random'>,
  use: (scratchUrl: string) => Promise<T>,
): Promise<T> => {
  const nowMs = clock.wallMs();
  const name = `${nameAfter(url, 'trial', nowMs)}_${random.bytes(3).toString('hex')}`;
  await patiently(url, async (database) => {
    await dropLeftovers(database, nameAfter(url, 'trial', nowMs - DAY_MS));
    await createLike(database, name, url);
  });
  try {
    return await use(siblingUrl(url, name));
  } finally {
    await patiently(url, (database) => drop(database, name));
  }
};

const drop = (database: Database, name: string) =>
  sql`drop database if exists ${sql.id(name)} with (force)`.execute(database);

/** Of commands that were killed: after a day none is still at work. */
const dropLeftovers = async (database: Database, before: string): Promise<void> => {
  const [start = ''] = before.split(/\d{8}t\d{6}z$/);
  const { rows } = await sql<{ datname: string }>`
    select datname from pg_database where starts_with(datname, ${start}) and datname ~ ${TRIAL_END}
    and datname < ${before} and pg_get_userbyid(datdba) = current_user`.execute(database);
  for (const { datname } of rows) await drop(database, datname);
};

const createLike = async (database: Database, name: string, url: string): Promise<void> => {
  const { rows } = await sql<{ encoding: string; datcollate: string; datctype: string }>`
    select pg_encoding_to_char(encoding) as encoding, datcollate, datctype
    from pg_database where datname = current_database()`.execute(database);
  const { encoding = '', datcollate = '', datctype = '' } = rows[0] ?? {};
  try {
    await sql`create database ${sql.id(name)} template template0 encoding ${sql.lit(encoding)}
      lc_collate ${sql.lit(datcollate)} lc_ctype ${sql.lit(datctype)}`.execute(database);
  } catch (error) {
    throw error instanceof StorageFault && error.code === '42501' ? mayNotCreate(url) : error;
  }
};

const mayNotCreate = (url: string): OperatorError =>
  new OperatorError(
    EXIT.databaseUnusable,
    `The PostgreSQL user of ${describeUrl(url)} may not create databases, and a backup is tried in a new one`,
    'allow it, with alter role … createdb.',
  );

/**
 * Gives the name of the database at `url` to the one at `scratchUrl`, and returns the new name of the old one: both are
 * renamed, or neither.
 */
export const replaceDatabase = async (url: string, scratchUrl: string, wallMs: number): Promise<string> => {
  const [name, scratch, aside] = [nameIn(url), nameIn(scratchUrl), nameAfter(url, 'replaced', wallMs)];
  // Nobody can rename a database from within.
  await patiently(siblingUrl(url, name === 'postgres' ? 'template1' : 'postgres'), async (database) => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname in (${name}, ${scratch}) and usename = current_user`.execute(database);
    try {
      await database.transaction().execute(async (step) => {
        await sql`alter database ${sql.id(name)} rename to ${sql.id(aside)}`.execute(step);
        await sql`alter database ${sql.id(scratch)} rename to ${sql.id(name)}`.execute(step);
      });
    } catch (error) {
      throw error instanceof StorageFault && error.code === '55006' ? inUse(url) : error;
    }
  });
  return aside;
};

const inUse = (url: string): OperatorError =>
  new OperatorError(
    EXIT.serverRunning,
    `Another program is connected to the PostgreSQL database ${describeUrl(url)}`,
    'end it, and try again; nothing was changed.',
  );
