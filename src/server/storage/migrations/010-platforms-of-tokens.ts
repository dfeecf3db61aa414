import type { Migration } from '../schema.ts';

export const platformsOfTokens: Migration = {
  name: 'platforms of tokens',
  up: async (db) => {
    await db.schema.alterTable('donated_token').addColumn('platform', 'varchar(10)').execute();
  },
};
