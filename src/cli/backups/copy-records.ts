import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '#server/storage/database.ts';
import { exclusively, insertNew } from '#server/storage/sql-dialect.ts';
import type { Schema } from '#server/storage/schema.ts';

const TABLES = ['donated_token', 'vault_key', 'retirement', 'vanity_link', 'opt_out'] as const;

type TableName = (typeof TABLES)[number];

export const copyRecords = (source: Database, target: Database): Promise<void> =>
  exclusively(target, async (step) => {
    const wanted = await readTables(source);
    if ((await readTables(step)).every(({ rows }) => rows.length === 0))
      for (const { name, rows } of wanted) await insertNew<TableName>(step, name, rows);
    // What was there before, or has just been written by another driver.
    const found = await readTables(step);
    if (wanted.some(({ text }, n) => text !== found[n]?.text)) throw differs();
  });

const readTables = (db: Database) =>
  Promise.all(
    TABLES.map(async (name) => {
      const rows: Schema[TableName][] = await db.selectFrom(name).selectAll().execute();
      return { name, rows, text: rows.map(textOf).toSorted().join('\n') };
    }),
  );

/** Each driver has another kind of bytes, and an order of its own. */
const textOf = (row: object): string =>
  Object.entries(row)
    .map(([column, value]: [string, unknown]) =>
      JSON.stringify([column, value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value]),
    )
    .toSorted()
    .join();

const differs = (): OperatorError =>
  new OperatorError(
    EXIT.badInput,
    'The PostgreSQL database has records already, and others than these',
    'create an empty one with createdb and set DATABASE_URL to it; nothing was changed.',
  );
