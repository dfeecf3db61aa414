import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { DonatedTokenStore } from './donated-token-store.ts';
import { openRow, sealColumns } from './sealed-row.ts';
import type { Vault } from './vault.ts';

export type ResealReport = {
  readonly resealed: number;
  /** Rows that do not open under any key, and stay as they are. */
  readonly unreadable: number;
};

export type ResealDeps = {
  readonly donatedTokens: DonatedTokenStore;
  readonly vault: Vault;
  readonly onProgress: (done: number, total: number) => void;
};

/** Small enough that a donation hardly waits for the lock. */
const BATCH = 100;

/** Seals every row under the newest key, batch by batch. Receipts are digests without a key, so they still hold. */
export const resealAll = async ({ donatedTokens, vault, onProgress }: ResealDeps): Promise<ResealReport> => {
  const total = await countOutdated({ donatedTokens, vault });
  let resealed = 0;
  let unreadable = 0;
  for await (const rows of outdatedRows({ donatedTokens, vault })) {
    const changes = rows.flatMap((row) => {
      const token = openRow(vault, row);
      if (token === null) return [];
      return [{ id: row.id, fromKid: row.kid, columns: sealColumns(vault, row.id, token) }];
    });
    resealed += await donatedTokens.reseal(changes);
    unreadable += rows.length - changes.length;
    onProgress(resealed, total);
  }
  return { resealed, unreadable };
};

/** How many rows an older key still opens. */
export const countOutdated = async (deps: Pick<ResealDeps, 'donatedTokens' | 'vault'>): Promise<number> => {
  let count = 0;
  for await (const rows of outdatedRows(deps))
    count += rows.filter((row) => openRow(deps.vault, row) !== null).length;
  return count;
};

async function* outdatedRows({
  donatedTokens,
  vault,
}: Pick<ResealDeps, 'donatedTokens' | 'vault'>): AsyncGenerator<DonatedTokenRow[]> {
  const newest = vault.keys().at(-1)?.kid ?? '';
  let after = '';
  for (;;) {
    const rows = await donatedTokens.underOtherKeys(newest, after, BATCH);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}
