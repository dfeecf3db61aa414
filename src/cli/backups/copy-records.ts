import { EXIT, OperatorError } from '#server/operator-error.ts';
import { draftOf } from '#server/tokens/token-rules.ts';
import { openJournals, readSilently } from '#server/open-state.ts';
import type { Database } from '#server/storage/database.ts';
import { exclusively, insertNew } from '#server/storage/sql-dialect.ts';
import type { Schema } from '#server/storage/schema.ts';
import { StorageFault } from '#server/storage/storage-fault.ts';
import type { Clock } from '#server/system.ts';

const TABLES = ['donated_token', 'vault_key', 'retirement', 'vanity_link', 'opt_out'] as const;

type TableName = (typeof TABLES)[number];

export const copyRecords = (source: Database, target: Database, clock: Clock): Promise<void> =>
  exclusively(target, async (step) => {
    const wanted = await readTables(source);
    if ((await readTables(step)).every(({ rows }) => rows.length === 0)) {
      for (const { name, rows } of wanted) await fill(step, name, rows);
      await copyStanding(source, step, clock);
    }
    // What was there before, or has just been written by another driver.
    const found = await readTables(step);
    if (wanted.some(({ text }, n) => text !== found[n]?.text)) throw differs();
  });

/** Bans, invalid requests, and since when tokens are on hold. */
const copyStanding = async (source: Database, target: Database, clock: Clock): Promise<void> => {
  const { platform, tokens } = (await openJournals(source))(readSilently);
  await target
    .updateTable('standing')
    .set({ record: JSON.stringify(platform.before) })
    .where('who', '=', 'platform')
    .execute();
  const held = Object.entries(tokens.before).map(([id, heldMs]) => ({
    id,
    record: JSON.stringify({ ...draftOf(null, 0), heldMs }),
    free_at: 0,
    place: 'suspect',
    changed_at: clock.wallMs(),
  }));
  await insertNew(target, 'token_state', held);
};

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

const fill = async (db: Database, name: TableName, rows: readonly Schema[TableName][]): Promise<void> => {
  try {
    await insertNew<TableName>(db, name, rows);
  } catch (error) {
    // Class 22: SQLite takes a text of any length and content, PostgreSQL does not.
    throw error instanceof StorageFault && error.code.startsWith('22') ? unfit(name) : error;
  }
};

const differs = (): OperatorError =>
  new OperatorError(
    EXIT.badInput,
    'The PostgreSQL database has records already, and others than these',
    'create an empty one with createdb and set DATABASE_URL to it; nothing was changed.',
  );

const unfit = (name: TableName): OperatorError =>
  new OperatorError(
    EXIT.badInput,
    `PostgreSQL cannot take a text in ${name}: it is too long, or has a character that text may not have`,
    'shorten it, for a link with ops vanity remove and add, and try again; nothing was changed.',
  );
