import type { Migration } from '../schema.ts';

/** Which other store a node used; migration 9 drops it again. */
export const storesOfNodes: Migration = {
  name: 'stores of nodes',
  only: 'postgres',
  up: async (db) => {
    await db.schema
      .alterTable('node')
      .addColumn('store_id', 'text')
      .addColumn('store_address', 'text')
      .execute();
  },
};
