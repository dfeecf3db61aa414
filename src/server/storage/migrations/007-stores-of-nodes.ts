import type { Migration } from '../schema.ts';

/** Which shared store each node uses, so that two that use different ones notice. Null for nodes of earlier versions. */
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
