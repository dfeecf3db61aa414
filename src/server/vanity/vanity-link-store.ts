import type { Database } from '#server/storage/database.ts';
import type { VanityLinkRow } from '#server/storage/schema.ts';

/** Vanity links at rest. */
export type VanityLinkStore = {
  /** By name. */
  readonly all: () => Promise<VanityLinkRow[]>;
  readonly find: (name: string) => Promise<VanityLinkRow | undefined>;
  /** False if the name is taken. */
  readonly add: (row: VanityLinkRow) => Promise<boolean>;
  readonly update: (name: string, change: Partial<Omit<VanityLinkRow, 'name'>>) => Promise<void>;
  /** Pauses the link unless somebody has changed or paused it since it was read. */
  readonly pauseUnchanged: (
    link: VanityLinkRow,
    pause: Pick<VanityLinkRow, 'paused_because' | 'checked_at'>,
  ) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
};

export const createVanityLinkStore = (db: Database): VanityLinkStore => ({
  all: () => db.selectFrom('vanity_link').selectAll().orderBy('name').execute(),
  find: (name) => db.selectFrom('vanity_link').selectAll().where('name', '=', name).executeTakeFirst(),
  add: async (row) => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('vanity_link')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  },
  update: async (name, change) => {
    await db.updateTable('vanity_link').set(change).where('name', '=', name).execute();
  },
  pauseUnchanged: async ({ name, invite_code, guild_id }, pause) => {
    await db
      .updateTable('vanity_link')
      .set(pause)
      .where((where) => where.and({ name, invite_code, guild_id }))
      .where('paused_because', 'is', null)
      .execute();
  },
  remove: async (name) => {
    await db.deleteFrom('vanity_link').where('name', '=', name).execute();
  },
});
