import type { Migration } from '../schema.ts';

/** In rows of the first format the digests are not sealed in. They are resealed once the keyring is at hand. */
export const sealedRowFormats: Migration = {
  name: 'sealed row formats',
  up: async (db) => {
    await db.schema
      .alterTable('donated_token')
      .addColumn('format', 'integer', (column) => column.notNull().defaultTo(1))
      .execute();
  },
};
