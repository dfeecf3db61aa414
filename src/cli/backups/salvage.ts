import { openRecords, type Records } from '#server/open-records.ts';
import { createOptOutStore } from '#server/privacy/opt-outs.ts';
import { openDatabase, type Database } from '#server/storage/database.ts';
import { createVanityLinkStore } from '#server/vanity/vanity-links.ts';
import { createDonatedTokenStore, openRow, sealRow } from '#server/vault/donated-tokens.ts';
import { readKeyring } from '#server/vault/keyring.ts';
import { createVaultKeyStore } from '#server/vault/open-vault.ts';
import { createVault, OPT_OUT_KID } from '#server/vault/vault.ts';
import type { CommandContext } from '../command.ts';

/** Links always, opt-outs if their key is on the keyring (no rotation changes it), tokens if one of its keys fits. */
export const salvage = async (context: CommandContext, folder: string, oldDatabase: string) => {
  const { config, system } = context;
  await using old = (await openDatabase(oldDatabase)).database;
  const made = { ...config, databaseUrl: null, dataDir: folder };
  await using records = await openRecords(made, system, { isNewSite: true });
  const links = await createVanityLinkStore(old).all();
  for (const link of links) await records.vanityLinks.add(link);
  const tokens = await salvageTokens(old, records, context);
  const optOuts = await salvageOptOuts(old, records);
  return {
    saved: { token_count: tokens.saved, link_count: links.length, opt_out_count: optOuts.saved },
    lost: { token_count: tokens.lost, opt_out_count: optOuts.lost },
  };
};

const salvageTokens = async (
  old: Database,
  { donatedTokens, vault }: Records,
  { config, system }: CommandContext,
) => {
  const rows = await createDonatedTokenStore(old).all();
  const { keys = [], optOutKey = Buffer.alloc(0) } = readKeyring(config.keyringFile) ?? {};
  const vaults = keys.map((active) => createVault({ active, optOutKey }, system.random));
  let saved = 0;
  for (const row of rows) {
    const token = vaults.map((one) => openRow(one, row)).find((found) => found !== null);
    if (token === undefined) continue;
    await donatedTokens.save(sealRow(vault, row, token));
    saved += 1;
  }
  return { saved, lost: rows.length - saved };
};

const salvageOptOuts = async (old: Database, { optOuts, database }: Records) => {
  const rows = await createOptOutStore(old).all();
  const [before, now] = [await createVaultKeyStore(old).all(), await createVaultKeyStore(database).all()];
  if (before.get(OPT_OUT_KID) !== now.get(OPT_OUT_KID)) return { saved: 0, lost: rows.length };
  for (const { digest, created_day } of rows) await optOuts.add(digest, created_day);
  return { saved: rows.length, lost: 0 };
};
