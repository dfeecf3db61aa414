import type { BotToken } from '#server/platform/bot-token.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { DonatedTokenStore } from './donated-token-store.ts';
import { FIRST_FORMAT, openFirstRow, openRow, sealRow } from './sealed-row.ts';
import type { Vault } from './vault.ts';

export type ResealReport = {
  readonly resealed: number;
  /** Rows that do not open under any key, and stay as they are. */
  readonly unreadable: number;
};

type SealedRows = { readonly donatedTokens: DonatedTokenStore; readonly vault: Vault };

type OnProgress = (done: number, total: number) => void;

/** Small enough that a donation hardly waits for the lock. */
const BATCH = 100;

/** Seals every row under the newest key, batch by batch. Receipts are digests without a key, so they still hold. */
export const resealAll = async (sealed: SealedRows, onProgress: OnProgress): Promise<ResealReport> => {
  const total = await countOutdated(sealed);
  let [resealed, unreadable] = [0, 0];
  for await (const rows of outdatedRows(sealed)) {
    const report = await reseal(sealed, rows, openRow);
    resealed += report.resealed;
    unreadable += report.unreadable;
    onProgress(resealed, total);
  }
  return { resealed, unreadable };
};

/** Killed at any moment, it goes on with what is left. */
export const resealFirstFormat = async (sealed: SealedRows): Promise<void> => {
  const read = (after: string) => sealed.donatedTokens.ofFormat(FIRST_FORMAT, after, BATCH);
  for await (const rows of batches(read)) await reseal(sealed, rows, openFirstRow);
};

/** How many rows an older key still opens. */
export const countOutdated = async (sealed: SealedRows): Promise<number> => {
  let count = 0;
  for await (const rows of outdatedRows(sealed))
    count += rows.filter((row) => openRow(sealed.vault, row) !== null).length;
  return count;
};

const reseal = async (
  { donatedTokens, vault }: SealedRows,
  rows: readonly DonatedTokenRow[],
  open: (vault: Vault, row: DonatedTokenRow) => BotToken | null,
): Promise<ResealReport> => {
  const changes = rows.flatMap((from) => {
    const token = open(vault, from);
    return token === null ? [] : [{ from, to: sealRow(vault, from, token) }];
  });
  return { resealed: await donatedTokens.reseal(changes), unreadable: rows.length - changes.length };
};

const outdatedRows = ({ donatedTokens, vault }: SealedRows): AsyncGenerator<DonatedTokenRow[]> => {
  const newest = vault.keys().at(-1)?.kid ?? '';
  return batches((after) => donatedTokens.underOtherKeys(newest, after, BATCH));
};

async function* batches(
  read: (afterId: string) => Promise<DonatedTokenRow[]>,
): AsyncGenerator<DonatedTokenRow[]> {
  let after = '';
  for (;;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}
