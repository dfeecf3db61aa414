import type { Migration } from '../schema.ts';

/** Names how a row is sealed, so that a later format can be told apart. No release wrote rows of format 1. */
export const sealedRowFormats: Migration = {
  name: 'sealed row formats',
  up: async (db) => {
    await db.schema
      .alterTable('donated_token')
      .addColumn('format', 'integer', (column) => column.notNull().defaultTo(1))
      .execute();
  },
};
