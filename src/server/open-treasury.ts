import { join } from 'node:path';
import type { Config } from './config.ts';
import type { DonationsDeps } from './donation/donations.ts';
import { openDatabase, type Database } from './storage/database.ts';
import { openWithdrawnFile } from './storage/withdrawn-file.ts';
import type { System } from './system.ts';
import { createDonatedTokenStore } from './tokens/donated-token-store.ts';
import { openVault } from './tokens/open-vault.ts';
import type { PoolStatusDeps } from './tokens/pool-status.ts';

export const DATABASE_FILE = 'whoflake.sqlite';

/** Where donated tokens rest. */
export type Treasury = Pick<DonationsDeps, 'store' | 'vault' | 'withdrawn'> &
  Pick<PoolStatusDeps, 'retiredBefore'> & { readonly close: () => Promise<void> };

/** Opens what donated tokens are kept in, or refuses with a `StartError`. Null where no tokens are taken. */
export const openTreasury = async (config: Config, system: System): Promise<Treasury | null> => {
  if (!config.tokenDonations) return null;
  const database = await openDatabase(join(config.dataDir, DATABASE_FILE));
  try {
    return await treasuryIn(database, config, system);
  } catch (error) {
    await database.destroy();
    throw error;
  }
};

export const treasuryIn = async (database: Database, config: Config, system: System): Promise<Treasury> => {
  const store = createDonatedTokenStore(database);
  const vault = await openVault({ system, store, keyringFile: config.keyringFile });
  const withdrawn = openWithdrawnFile(join(config.dataDir, 'withdrawn.txt'));
  const retiredBefore = await store.retirements();
  return { store, vault, withdrawn, retiredBefore, close: () => database.destroy() };
};
