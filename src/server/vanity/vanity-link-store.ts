import type { Database } from '#server/storage/database.ts';
import type { VanityLinkRow } from '#server/storage/schema.ts';
import { insertNew } from '#server/storage/sql-dialect.ts';

export type VanityLinkStore = ReturnType<typeof createVanityLinkStore>;

export const createVanityLinkStore = (db: Database) => ({
  all: () => db.selectFrom('vanity_link').selectAll().orderBy('name').execute(),
  find: (name: string) =>
    db.selectFrom('vanity_link').selectAll().where('name', '=', name).executeTakeFirst(),
  add: async (row: VanityLinkRow): Promise<boolean> => (await insertNew(db, 'vanity_link', [row])) === 1,
  update: (name: string, change: Partial<Omit<VanityLinkRow, 'name'>>) =>
    db.updateTable('vanity_link').set(change).where('name', '=', name).execute(),
  pauseUnchanged: (
    { name, invite_code, guild_id }: VanityLinkRow,
    pause: Pick<VanityLinkRow, 'paused_because' | 'checked_at'>,
  ) =>
    db
      .updateTable('vanity_link')
      .set(pause)
      .where((where) => where.and({ name, invite_code, guild_id }))
      .where('paused_because', 'is', null)
      .execute(),
  remove: (name: string) => db.deleteFrom('vanity_link').where('name', '=', name).execute(),
});
