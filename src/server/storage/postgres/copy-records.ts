import { isDeepStrictEqual } from 'node:util';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '../database.ts';
import { exclusively } from '../sql-dialect.ts';
import type { Schema } from '../schema.ts';
import { StorageFault } from '../storage-fault.ts';

const KEY_OF_TABLE = {
  donated_token: 'id',
  vault_key: 'kid',
  retirement: 'token_id',
  vanity_link: 'name',
  opt_out: 'digest',
  withdrawn_list: 'id',
} as const satisfies { [T in keyof Schema]?: keyof Schema[T] };

type TableName = keyof typeof KEY_OF_TABLE;
const NAMES = Object.keys(KEY_OF_TABLE) as TableName[];

export type CopiedRecords = {
  readonly rows: Readonly<Record<TableName, number>>;
  readonly copied: boolean;
};

/** Few enough for the number of values that a statement may have. */
const AT_ONCE = 500;

export const copyRecords = (source: Database, target: Database): Promise<CopiedRecords> =>
  exclusively(target, async (step) => {
    const wanted = await readTables(source);
    const found = await readTables(step);
    const copied = NAMES.every((name) => found[name].size === 0);
    if (copied) for (const name of NAMES) await fill(step, name, [...wanted[name].values()]);
    const kept = copied ? await readTables(step) : found;
    for (const name of NAMES)
      if (!isDeepStrictEqual(wanted[name], kept[name])) throw copied ? differs(name) : notEmpty();
    const counts = NAMES.map((name) => [name, wanted[name].size]);
    return { rows: Object.fromEntries(counts) as CopiedRecords['rows'], copied };
  });

type Tables = Readonly<Record<TableName, ReadonlyMap<string, object>>>;

const readTables = async (db: Database): Promise<Tables> => {
  const tables = await Promise.all(
    NAMES.map(async (name) => {
      const rows = (await db.selectFrom(name).selectAll().execute()) as Record<string, unknown>[];
      return [name, new Map(rows.map((row) => [String(row[KEY_OF_TABLE[name]]), withBuffers(row)]))];
    }),
  );
  return Object.fromEntries(tables) as Tables;
};

/** Each driver has another kind of bytes. */
const withBuffers = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [
      column,
      value instanceof Uint8Array ? Buffer.from(value) : value,
    ]),
  );

const fill = async (db: Database, name: TableName, rows: readonly object[]): Promise<void> => {
  try {
    for (let from = 0; from < rows.length; from += AT_ONCE)
      await db
        .insertInto(name)
        .values(rows.slice(from, from + AT_ONCE))
        .execute();
  } catch (error) {
    // Class 22: SQLite takes a text of any length and content, PostgreSQL does not.
    throw error instanceof StorageFault && error.code.startsWith('22') ? unfit(name) : error;
  }
};

const notEmpty = (): OperatorError =>
  new OperatorError(
    EXIT.badInput,
    'The PostgreSQL database has records already, and others than these',
    'create an empty one with createdb and set DATABASE_URL to it; nothing was changed.',
  );

const differs = (name: TableName): OperatorError =>
  new OperatorError(EXIT.failed, `PostgreSQL did not keep ${name} as it was`, 'nothing was changed.');

const unfit = (name: TableName): OperatorError =>
  new OperatorError(
    EXIT.badInput,
    `PostgreSQL cannot take a text in ${name}: it is too long, or has a character that text may not have`,
    'shorten it, for a link with ops vanity remove and add, and try again; nothing was changed.',
  );
