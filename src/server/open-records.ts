import { dirname, join, resolve } from 'node:path';
import type { Config } from './config.ts';
import type { DonationsDeps } from './donation/donations.ts';
import { createOptOutStore, type OptOutStore } from './privacy/opt-out-store.ts';
import { openDatabase, type Database } from './storage/database.ts';
import { openWithdrawnFile } from './donation/withdrawn-file.ts';
import type { System } from './system.ts';
import { createDonatedTokenStore } from './vault/donated-token-store.ts';
import { createKeyCheckStore } from './vault/key-check-store.ts';
import { openVault, type OpenedVault } from './vault/open-vault.ts';
import type { PoolStatusDeps } from './pool/pool-status.ts';
import { createVanityLinkStore, type VanityLinkStore } from './vanity/vanity-link-store.ts';

export const DATABASE_FILE = 'whoflake.sqlite';
export const WITHDRAWN_FILE = 'withdrawn.txt';
export const INVALID_REQUESTS_FILE = 'invalid-requests.json';

/** A thief of the folder or of its backup would have both. In the sandbox that is nobody's loss. */
export const isKeyringBesideDatabase = ({ platform, keyringFile, dataDir }: Config): boolean =>
  platform.kind === 'discord' && resolve(dirname(keyringFile)) === resolve(dataDir);

/** Everything that outlives the process. */
export type Records = Pick<DonationsDeps, 'store' | 'withdrawn'> &
  Pick<PoolStatusDeps, 'retiredBefore'> & {
    readonly database: Database;
    readonly vault: OpenedVault;
    readonly vanityLinks: VanityLinkStore;
    readonly optOuts: OptOutStore;
    readonly close: () => Promise<void>;
  };

/** Opens what is kept, or refuses with a `StartError`. */
export const openRecords = async (config: Config, system: System): Promise<Records> => {
  const database = await openDatabase(join(config.dataDir, DATABASE_FILE));
  try {
    return await recordsIn(database, config, system);
  } catch (error) {
    await database.destroy();
    throw error;
  }
};

const recordsIn = async (database: Database, config: Config, system: System): Promise<Records> => {
  const store = createDonatedTokenStore(database);
  const keyChecks = createKeyCheckStore(database);
  return {
    database,
    store,
    vault: await openVault({ system, keyChecks, keyringFile: config.keyringFile }),
    withdrawn: openWithdrawnFile(join(config.dataDir, WITHDRAWN_FILE)),
    retiredBefore: await store.retirements(),
    vanityLinks: createVanityLinkStore(database),
    optOuts: createOptOutStore(database),
    close: () => database.destroy(),
  };
};
