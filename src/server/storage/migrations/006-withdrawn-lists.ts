import { sql } from 'kysely';
import { isPostgres } from '../sql-dialect.ts';
import type { Migration } from '../schema.ts';

/** Which machines keep a list of withdrawn tokens, so that a restored database knows whose it may lack. */
export const withdrawnLists: Migration = {
  name: 'withdrawn lists',
  up: async (db) => {
    await db.schema
      .createTable('withdrawn_list')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('name', 'varchar(300)', (column) => column.notNull())
      .addColumn('merged_into', 'varchar(100)', (column) => column.notNull())
      .execute();
    if (isPostgres(db))
      await sql`
        create trigger count_change before insert or update or delete or truncate on withdrawn_list
        for each statement execute function count_change()`.execute(db);
  },
};
