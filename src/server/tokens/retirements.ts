import type { Database } from '#server/storage/database.ts';
import type { RetirementRow } from '#server/storage/schema.ts';
import { insertNew } from '#server/storage/sql-dialect.ts';

/** All that is left of a deleted token: that it existed. Only this table counts them. */
export type Retirements = ReturnType<typeof createRetirements>;

export const createRetirements = (db: Database) => ({
  add: (row: RetirementRow) => insertNew(db, 'retirement', [row]),
  has: async (start: string): Promise<boolean> =>
    (await db
      .selectFrom('retirement')
      .select('token_id')
      .where('token_id', 'like', `${start}%`)
      .executeTakeFirst()) !== undefined,
  times: async (tokenIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    if (tokenIds.length === 0) return new Map();
    const rows = await db.selectFrom('retirement').selectAll().where('token_id', 'in', tokenIds).execute();
    return new Map(rows.map(({ token_id, retired_at }) => [token_id, retired_at]));
  },
  count: async () => {
    const rows = await db
      .selectFrom('retirement')
      .select(({ fn }) => ['reason', fn.countAll<number>().as('count'), fn.max('retired_at').as('last')])
      .groupBy('reason')
      .execute();
    const of = (reason: RetirementRow['reason']) => rows.find((row) => row.reason === reason);
    return {
      platform: of('platform')?.count ?? 0,
      operator: of('operator')?.count ?? 0,
      last: of('platform')?.last ?? null,
    };
  },
});
