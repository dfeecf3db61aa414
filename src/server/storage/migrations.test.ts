import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { useDialects } from '#test/support/databases.ts';
import type { Database } from './database.ts';
import { migrate, MIGRATIONS, type Migration } from './migrations.ts';

const later: Migration = {
  name: 'later',
  up: async (db) => void (await sql`create table later (n integer)`.execute(db)),
};
const failing: Migration = {
  name: 'failing',
  up: async (db) => {
    await sql`create table failing (n integer)`.execute(db);
    throw new Error('no');
  },
};

const stepsOf = (database: Database) => database.selectFrom('schema_migration').selectAll().execute();

describe.each(useDialects())('$name', ({ missing, create }) => {
  test.skipIf(missing !== null)(
    'A version that brings one more migration runs that one alone, once, and versions before it refuse the database.',
    async () => {
      await using made = await create();
      const { database } = await made.open();
      const before = await stepsOf(database);
      await migrate(database, [...MIGRATIONS, later]);
      await migrate(database, [...MIGRATIONS, later]);
      expect(await stepsOf(database)).toEqual([...before, { number: MIGRATIONS.length + 1, name: 'later' }]);
      await sql`insert into later values (1)`.execute(database);
      await expect(migrate(database)).rejects.toMatchObject({ exitCode: EXIT.databaseNewer });
    },
  );

  test.skipIf(missing !== null)('A migration that fails takes those before it back with it.', async () => {
    await using made = await create();
    const { database } = await made.open();
    const before = await stepsOf(database);
    await expect(migrate(database, [...MIGRATIONS, later, failing])).rejects.toThrow('no');
    expect(await stepsOf(database)).toEqual(before);
    await expect(sql`select * from later`.execute(database)).rejects.toThrow();
    await migrate(database, [...MIGRATIONS, later]);
  });
});
