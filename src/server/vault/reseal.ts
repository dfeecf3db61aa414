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
  readonly store: Pick<DonatedTokenStore, 'sealedOtherwise' | 'reseal'>;
  readonly vault: Vault;
  readonly onProgress: (done: number, total: number) => void;
};

/** Small enough that a donation hardly waits for the lock. */
const BATCH = 100;

/** Seals every row under the newest key, batch by batch. Receipts are digests without a key, so they still hold. */
export const resealAll = async ({ store, vault, onProgress }: ResealDeps): Promise<ResealReport> => {
  const total = await countOutdated({ store, vault });
  let resealed = 0;
  let unreadable = 0;
  for await (const rows of outdatedRows({ store, vault })) {
    const changes = rows.flatMap((row) => {
      const token = openRow(vault, row);
      if (token === null) return [];
      return [{ id: row.id, fromKid: row.kid, columns: sealColumns(vault, row.id, token) }];
    });
    resealed += await store.reseal(changes);
    unreadable += rows.length - changes.length;
    onProgress(resealed, total);
  }
  return { resealed, unreadable };
};

/** How many rows an older key still opens. */
export const countOutdated = async (deps: Pick<ResealDeps, 'store' | 'vault'>): Promise<number> => {
  let count = 0;
  for await (const rows of outdatedRows(deps))
    count += rows.filter((row) => openRow(deps.vault, row) !== null).length;
  return count;
};

async function* outdatedRows({
  store,
  vault,
}: Pick<ResealDeps, 'store' | 'vault'>): AsyncGenerator<DonatedTokenRow[]> {
  const newest = vault.keys().at(-1)?.kid ?? '';
  let after = '';
  for (;;) {
    const rows = await store.sealedOtherwise(newest, after, BATCH);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}
