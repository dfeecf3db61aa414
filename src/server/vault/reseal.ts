import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { DonatedTokenStore } from './donated-token-store.ts';
import { openRow, sealRow } from './sealed-row.ts';
import type { Vault } from './vault.ts';

export type ResealReport = {
  readonly resealed: number;
  readonly unreadable: number;
};

type SealedRows = { readonly donatedTokens: DonatedTokenStore; readonly vault: Vault };

/** Small enough that a donation hardly waits for the lock. */
const BATCH = 50;

export const resealAll = async (
  sealed: SealedRows,
  onProgress: (done: number, total: number) => void,
): Promise<ResealReport> => {
  const { donatedTokens, vault } = sealed;
  const total = await countOutdated(sealed);
  let [resealed, unreadable] = [0, 0];
  for await (const rows of outdatedRows(sealed)) {
    const changes = rows.flatMap((from) => {
      const token = openRow(vault, from);
      return token === null ? [] : [{ from, to: sealRow(vault, from, token) }];
    });
    resealed += await donatedTokens.reseal(changes);
    unreadable += rows.length - changes.length;
    onProgress(resealed, total);
  }
  return { resealed, unreadable };
};

export const countOutdated = async (sealed: SealedRows): Promise<number> => {
  let count = 0;
  for await (const rows of outdatedRows(sealed))
    count += rows.filter((row) => openRow(sealed.vault, row) !== null).length;
  return count;
};

async function* outdatedRows({ donatedTokens, vault }: SealedRows): AsyncGenerator<DonatedTokenRow[]> {
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
