import type { Database } from '#server/storage/database.ts';
import type { RetirementRow } from '#server/storage/schema.ts';

/** How many tokens are out of use for good, and since when. */
export type RetirementCounts = {
  /** The platform no longer accepted them. */
  readonly platform: number;
  /** The operator deleted them. */
  readonly operator: number;
  /** When the platform last did. */
  readonly last: string | null;
};

/** What is left of a token once it is gone: that it was there. The table is the one place that counts them. */
export type Retirements = {
  /** Of the same token only the first time counts. */
  readonly add: (row: RetirementRow) => Promise<void>;
  readonly count: () => Promise<RetirementCounts>;
};

export const createRetirements = (db: Database): Retirements => ({
  add: async (row) => {
    await db
      .insertInto('retirement')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
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
