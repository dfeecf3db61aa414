import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from './config.ts';
import { openWithdrawnList } from './donation/withdrawn-list.ts';
import { createRetirements } from './tokens/retirements.ts';
import { createOptOutStore } from './lookup/opt-outs.ts';
import {
  openJournals,
  openMemoryState,
  openPostgresState,
  readStanding,
  type OpenState,
} from './open-state.ts';
import {
  DATABASE_FILE,
  freeBytes,
  markSite,
  refuseForgottenSite,
  refuseLostDatabase,
} from './storage/data-folder.ts';
import {
  inspectDatabase,
  openDatabase,
  type Database,
  type DatabaseState,
  type OpenDatabaseOptions,
  type OpenedDatabase,
} from './storage/database.ts';
import { findLastBackup } from './storage/last-backup.ts';
import { describeUrl } from './storage/postgres/database-url.ts';
import { nameOfPostgres } from './storage/sql-dialect.ts';
import type { System } from './system.ts';
import { createVanityLinkStore } from './vanity/vanity-links.ts';
import { createDonatedTokenStore } from './vault/donated-tokens.ts';
import { openVault } from './vault/open-vault.ts';

export const WITHDRAWN_FILE = 'withdrawn.txt';

/** A thief of the folder or of its backup would have both. In the sandbox that is nobody's loss. */
export const isKeyringBesideDatabase = ({ platform, keyringFile, dataDir }: Config): boolean =>
  platform.kind === 'discord' && resolve(dirname(keyringFile)) === resolve(dataDir);

export const machineName = ({ listen }: Config): string => `${hostname()}:${listen.port}`;

export type Records = Awaited<ReturnType<typeof openRecords>>;

export type OpenRecordsOptions = Pick<OpenDatabaseOptions, 'connect'> & {
  readonly isNewSite?: boolean;
  readonly isServer?: boolean;
};

export const openRecords = async (config: Config, system: System, options: OpenRecordsOptions = {}) => {
  const { isNewSite = false, isServer = false } = options;
  const { database, readVersion, isSameDatabase } = await (config.databaseUrl === null
    ? openInFolder(config, options)
    : openInPostgres(config.databaseUrl.reveal(), isNewSite));
  try {
    if (isServer) markSite(config);
    const { keyringFile } = config;
    const create = isServer || isNewSite;
    const vault = await openVault({ system, database, keyringFile, isNewSite, create });
    const withdrawn = await openWithdrawnList(join(config.dataDir, WITHDRAWN_FILE), database, system.random);
    const donatedTokens = createDonatedTokenStore(database);
    return {
      database,
      readVersion,
      isSameDatabase,
      vault,
      donatedTokens,
      retirements: createRetirements(database),
      withdrawn,
      vanityLinks: createVanityLinkStore(database),
      optOuts: createOptOutStore(database),
      openState: await stateIn(database, config, isServer),
      /** What the server has written of it. */
      readStanding: () => readStanding(database),
      lastBackup: () => findLastBackup(config),
      freeBytes: () => freeBytes(config.dataDir),
      close: (): Promise<void> => database.destroy(),
      [Symbol.asyncDispose]: (): Promise<void> => database.destroy(),
    };
  } catch (error) {
    await database.destroy();
    throw error;
  }
};

const openInFolder = async (
  config: Config,
  { isNewSite = false, isServer = false, connect }: OpenRecordsOptions,
): Promise<OpenedDatabase> => {
  if (!isNewSite) refuseLostDatabase(config);
  if (!isNewSite && isServer) refuseForgottenSite(config);
  return openDatabase(join(config.dataDir, DATABASE_FILE), { connect });
};

const openInPostgres = async (url: string, isNewSite: boolean): Promise<OpenedDatabase> => {
  const { openPostgresDatabase } = await import('./storage/postgres/postgres-database.ts');
  return openPostgresDatabase(url, { create: isNewSite });
};

export const inspectRecords = async ({ dataDir, databaseUrl }: Config): Promise<DatabaseState> => {
  if (databaseUrl === null) return inspectDatabase(join(dataDir, DATABASE_FILE));
  const { inspectPostgres } = await import('./storage/postgres/postgres-database.ts');
  return inspectPostgres(databaseUrl.reveal());
};

export const describeRecords = ({ dataDir, databaseUrl }: Config): string =>
  databaseUrl === null ? `in ${dataDir}` : `in PostgreSQL at ${describeUrl(databaseUrl.reveal())}`;

/** A command writes over nothing of the server's. */
const stateIn = async (
  database: Database,
  { databaseUrl }: Config,
  isServer: boolean,
): Promise<OpenState> => {
  if (databaseUrl === null) return openMemoryState(isServer ? await openJournals(database) : undefined);
  return openPostgresState(databaseUrl.reveal(), await nameOfPostgres(database));
};
