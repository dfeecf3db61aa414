import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { migrate, SCHEMA_VERSIONS } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { connectionTo } from './sqlite-connection.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';

/** What a file says of itself: its encoding, the steps it has taken, its tables, indexes, triggers and views. */
export type FileSchema =
  | { readonly kind: 'empty' | 'foreign' | 'altered' }
  | { readonly kind: 'ours'; readonly version: number };

type Row = Readonly<Record<string, unknown>>;
type Ask = (sql: string) => readonly Row[] | Promise<readonly Row[]>;

/** Statistics are SQLite's own business: `analyze` makes them. */
const OBJECTS = `select type, name, tbl_name, sql from sqlite_schema
  where name not like 'sqlite_stat%' order by type, name`;
/** As text: a number may be larger than any of ours. */
const STEPS =
  'select cast(number as text) as number, name from schema_migration order by schema_migration.number';

/**
 * Ours is exactly what our own steps make of an empty file: a trigger or a view that somebody has added could do
 * anything with what is written. One of a newer version cannot be judged.
 */
export const readFileSchema = async (ask: Ask): Promise<FileSchema> => {
  const objects = await ask(OBJECTS);
  if (objects.length === 0) return { kind: 'empty' };
  if (!objects.some(({ name, type }) => name === 'schema_migration' && type === 'table'))
    return { kind: 'foreign' };
  const { version, description } = await describe(ask, objects);
  const isOurs = version > SCHEMA_VERSIONS.sqlite || description === (await expected(version));
  return isOurs && Number.isSafeInteger(version) ? { kind: 'ours', version } : { kind: 'altered' };
};

const describe = async (ask: Ask, objects: readonly Row[]) => {
  const steps = await ask(STEPS);
  const version = Number(steps.at(-1)?.['number'] ?? 0);
  return { version, description: JSON.stringify([await ask('pragma encoding'), steps, objects]) };
};

const made = new Map<number, Promise<string>>();

const expected = (version: number): Promise<string> => {
  const known = made.get(version) ?? make(version);
  made.set(version, known);
  return known;
};

const make = async (version: number): Promise<string> => {
  const memory = new DatabaseSync(':memory:');
  const dialect = createSqliteDialect(connectionTo(memory, ':memory:'));
  await using database = new Kysely<Schema>({ dialect });
  await migrate(database, version);
  const ask = (sql: string) => memory.prepare(sql).all();
  return (await describe(ask, ask(OBJECTS))).description;
};
