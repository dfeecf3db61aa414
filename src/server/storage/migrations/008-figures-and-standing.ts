import type { Migration } from '../schema.ts';

/** What was counted, and what the platform holds against us: both outlive the process. */
export const figuresAndStanding: Migration = {
  name: 'figures and standing',
  up: async (db) => {
    await db.schema
      .createTable('figure')
      .addColumn('server', 'varchar(300)', (column) => column.notNull())
      .addColumn('from_ms', 'bigint', (column) => column.notNull())
      .addColumn('served', 'integer', (column) => column.notNull())
      .addColumn('refused', 'integer', (column) => column.notNull())
      .addColumn('healthy', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('figure_key', ['server', 'from_ms'])
      .execute();
    await db.schema
      .createTable('standing')
      .addColumn('who', 'varchar(40)', (column) => column.primaryKey())
      .addColumn('record', 'text', (column) => column.notNull())
      .execute();
  },
};
