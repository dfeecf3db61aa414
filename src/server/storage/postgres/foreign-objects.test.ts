// @module-tag slow
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { useOwnPostgres } from '#test/support/databases.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { inspectPostgres, openPostgresDatabase } from './postgres-database.ts';

const postgres = useOwnPostgres();

const NOTHING = `create function nothing() returns trigger language plpgsql as 'begin return null; end'`;
const ALTERATIONS: Readonly<Record<string, readonly string[]>> = {
  'a trigger that drops what is written': [
    NOTHING,
    'create trigger x before insert on opt_out for each row execute function nothing()',
  ],
  'another trigger under the name of ours': [
    NOTHING,
    'create or replace trigger count_change before insert on opt_out for each statement execute function nothing()',
  ],
  'our own trigger for each row, where its null drops it': [
    'create trigger x before insert on opt_out for each row execute function count_change()',
  ],
  'a view in the place of a table': [
    'alter table opt_out rename to hidden',
    'create view opt_out as select * from hidden',
  ],
  'a rule': ['create rule x as on insert to opt_out do instead nothing'],
};

describe.skipIf(POSTGRES_MISSING !== null)('with PostgreSQL', () => {
  it.each(Object.entries(ALTERATIONS))(
    'records in PostgreSQL with %s are refused by a start and by a look',
    async (_, statements) => {
      const url = await (await postgres()).newDatabase();
      const { database } = await openPostgresDatabase(url, { create: true });
      for (const statement of statements) await sql.raw(statement).execute(database);
      await database.destroy();
      await expect(openPostgresDatabase(url)).rejects.toMatchObject({ exitCode: EXIT.databaseCorrupt });
      await expect(inspectPostgres(url)).rejects.toMatchObject({ exitCode: EXIT.databaseCorrupt });
    },
  );

  it('records in PostgreSQL with what our own steps make, and tables of others, are good', async () => {
    const url = await (await postgres()).newDatabase();
    const { database } = await openPostgresDatabase(url, { create: true });
    await sql`create table of_somebody_else (id int)`.execute(database);
    await database.destroy();
    expect(await inspectPostgres(url)).toMatchObject({ kind: 'good' });
  });
});
