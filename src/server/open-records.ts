import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from './config.ts';
import { openWithdrawnList } from './donation/withdrawn-list.ts';
import { createRetirements } from './tokens/retirements.ts';
import { createOptOutStore } from './privacy/opt-outs.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import { openMemoryState, type OpenState } from './state/state.ts';
import { openJournals, readStanding } from './state/standing-journal.ts';
import {
  openWatchedDatabase,
  type Database,
  type OpenDatabaseOptions,
  type OpenedDatabase,
} from './storage/database.ts';
import { freeBytes } from './storage/disk-space.ts';
import { inspectDatabase, type DatabaseState } from './storage/inspect-database.ts';
import { describeUrl } from './storage/postgres/refusals.ts';
import { canMark, markerOf, markSite } from './storage/site-marker.ts';
import { nameOfPostgres } from './storage/sql-dialect.ts';
import { findLastBackup } from './storage/last-backup.ts';
import type { System } from './system.ts';
import { createVanityLinkStore } from './vanity/vanity-link-store.ts';
import { createDonatedTokenStore } from './vault/donated-token-store.ts';
import { openVault } from './vault/open-vault.ts';

export const DATABASE_FILE = 'whoflake.sqlite';
export const WITHDRAWN_FILE = 'withdrawn.txt';

/** A thief of the folder or of its backup would have both. In the sandbox that is nobody's loss. */
export const isKeyringBesideDatabase = ({ platform, keyringFile, dataDir }: Config): boolean =>
  platform.kind === 'discord' && resolve(dirname(keyringFile)) === resolve(dataDir);

export const machineName = ({ listen }: Config): string => `${hostname()}:${listen.port}`;

export type Records = Awaited<ReturnType<typeof openRecords>>;

const hasDatabase = ({ dataDir }: Config): boolean => existsSync(join(dataDir, DATABASE_FILE));

export const isDatabaseLost = (config: Config): boolean =>
  !hasDatabase(config) && [config.keyringFile, markerOf(config)].some((sign) => sign && existsSync(sign));

const missing = (finding: string, remedy: string): OperatorError =>
  new OperatorError(EXIT.databaseMissing, finding, remedy);

/** An empty database instead of a lost one would show the people who opted out. */
export const refuseLostDatabase = (config: Config): void => {
  if (config.databaseUrl !== null || !isDatabaseLost(config)) return;
  throw missing(
    `The database in ${config.dataDir} is missing, but there has been one`,
    'is the disk of DATA_DIR mounted? If so, restore a backup with ops restore, or start a new site with ops init.',
  );
};

export type OpenRecordsOptions = Pick<OpenDatabaseOptions, 'connect'> & {
  readonly isNewSite?: boolean;
  readonly isServer?: boolean;
};

export const openRecords = async (config: Config, system: System, options: OpenRecordsOptions = {}) => {
  const { isNewSite = false, isServer = false } = options;
  const { database, readVersion, isSameDatabase } = await (config.databaseUrl === null
    ? openInFolder(config, options)
    : openInPostgres(config, config.databaseUrl.reveal(), options));
  try {
    if (config.databaseUrl === null && isServer) markSite(markerOf(config));
    const { keyringFile } = config;
    const create = isServer || isNewSite;
    const vault = await openVault({ system, database, keyringFile, isNewSite, create });
    const withdrawn = await openWithdrawnList({
      path: join(config.dataDir, WITHDRAWN_FILE),
      database,
      random: system.random,
    });
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
  // A server begins a site by itself only if it can never do so again.
  const marker = markerOf(config);
  if (!isNewSite && isServer && !hasDatabase(config) && marker !== null && !canMark(marker))
    throw missing(
      `There is no database in ${config.dataDir}, and beside that folder no note can be left that there was one`,
      'set KEYRING_FILE to a place outside of it, or begin the site with ops init.',
    );
  return openWatchedDatabase(join(config.dataDir, DATABASE_FILE), { connect });
};

/** Of two first servers each would make a keyring of its own, so none does. */
const openInPostgres = async (
  { keyringFile }: Config,
  url: string,
  { isNewSite = false }: OpenRecordsOptions,
): Promise<OpenedDatabase> => {
  if (!isNewSite && !existsSync(keyringFile))
    throw new OperatorError(
      EXIT.keyringMissing,
      `There is no keyring ${keyringFile}`,
      'copy it from another machine of this site, or begin a new site with ops init.',
    );
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
  const { openPostgresState } = await import('./state/postgres/postgres-state.ts');
  return openPostgresState(databaseUrl.reveal(), await nameOfPostgres(database));
};
