import type { Migration } from '../schema.ts';

/** Until here a token that the operator deleted was counted among those that the platform took. */
export const retirementReasons: Migration = {
  name: 'retirement reasons',
  up: async (db) => {
    await db.schema
      .alterTable('retirement')
      .addColumn('reason', 'varchar(20)', (column) => column.notNull().defaultTo('platform'))
      .execute();
  },
};
