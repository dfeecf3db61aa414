import { openDatabase } from '#server/storage/database.ts';
import { readKeyring } from '#server/vault/keyring.ts';
import { createVaultKeyStore } from '#server/vault/open-vault.ts';
import { OPT_OUT_KID, optOutCheck } from '#server/vault/vault.ts';

/**
 * No rotation changes the key for opt-outs, so an older copy of the keyring still fits them, and links need none.
 * What it cannot open is given up, in this copy of the database. Resolves with how many tokens that are.
 */
export const giveUpLostKeys = async (copy: string, keyringFile: string): Promise<number> => {
  const ring = readKeyring(keyringFile);
  if (ring === null) return 0;
  await using database = (await openDatabase(copy)).database;
  const store = createVaultKeyStore(database);
  const known = await store.all();
  const kids = ring.keys.map(({ kid }) => kid);
  const lost = [...known.keys()].filter((kid) => kid !== OPT_OUT_KID && !kids.includes(kid));
  if (lost.length === 0 || known.get(OPT_OUT_KID) !== optOutCheck(ring.optOutKey)) return 0;
  for (const kid of lost) await store.forget(kid);
  const { numDeletedRows } = await database
    .deleteFrom('donated_token')
    .where('kid', 'not in', kids)
    .executeTakeFirst();
  return Number(numDeletedRows);
};
