import type { Migration } from '../schema.ts';

export const vanityLinksAndOptOuts: Migration = {
  name: 'vanity links and opt-outs',
  up: async (db) => {
    await db.schema
      .createTable('vanity_link')
      .addColumn('name', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('invite_code', 'varchar(32)', (column) => column.notNull())
      .addColumn('guild_id', 'varchar(20)', (column) => column.notNull())
      .addColumn('paused_because', 'varchar(20)')
      .addColumn('checked_at', 'varchar(24)', (column) => column.notNull())
      .addColumn('created_day', 'varchar(10)', (column) => column.notNull())
      .addColumn('donor', 'varchar(200)')
      .addColumn('amount_eur', 'double precision')
      .addColumn('donated_on', 'varchar(10)')
      .execute();
    await db.schema
      .createTable('opt_out')
      .addColumn('digest', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('created_day', 'varchar(10)', (column) => column.notNull())
      .execute();
  },
};
