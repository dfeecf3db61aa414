import { openRecords, type Records } from '#server/open-records.ts';
import { createOptOutStore } from '#server/privacy/opt-outs.ts';
import { openDatabase, type Database } from '#server/storage/database.ts';
import { createVanityLinkStore } from '#server/vanity/vanity-link-store.ts';
import { createDonatedTokenStore } from '#server/vault/donated-token-store.ts';
import { createKeyCheckStore } from '#server/vault/open-vault.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import { OPT_OUT_KID } from '#server/vault/vault.ts';
import type { CommandContext } from '../command.ts';

/** Links always, opt-outs if their key is on the keyring (no rotation changes it), tokens if one of its keys fits. */
export const salvage = async ({ config, system }: CommandContext, folder: string, oldDatabase: string) => {
  await using old = await openDatabase(oldDatabase);
  const made = { ...config, databaseUrl: null, dataDir: folder };
  await using records = await openRecords(made, system, { isNewSite: true });
  const links = await createVanityLinkStore(old).all();
  for (const link of links) await records.vanityLinks.add(link);
  const tokens = await salvageTokens(old, records);
  const optOuts = await salvageOptOuts(old, records);
  return {
    saved: { token_count: tokens.saved, link_count: links.length, opt_out_count: optOuts.saved },
    lost: { token_count: tokens.lost, opt_out_count: optOuts.lost },
  };
};

const salvageTokens = async (old: Database, { donatedTokens, vault }: Records) => {
  const rows = await createDonatedTokenStore(old).all();
  const good = rows.filter((row) => openRow(vault, row) !== null);
  for (const row of good) await donatedTokens.save(row);
  return { saved: good.length, lost: rows.length - good.length };
};

const salvageOptOuts = async (old: Database, { optOuts, vault }: Records) => {
  const rows = await createOptOutStore(old).all();
  const check = (await createKeyCheckStore(old).all()).get(OPT_OUT_KID);
  if (check !== vault.checks().get(OPT_OUT_KID)) return { saved: 0, lost: rows.length };
  for (const { digest, created_day } of rows) await optOuts.add(digest, created_day);
  return { saved: rows.length, lost: 0 };
};
