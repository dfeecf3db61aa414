import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { DATABASE_FILE, openRecords, type Records } from '#server/open-records.ts';
import { inspectDatabase } from '#server/storage/inspect-database.ts';
import { SCHEMA_VERSION } from '#server/storage/migrate.ts';
import type { System } from '#server/system.ts';
import { badInput, noRecords, type CommandContext, type OpenRecordsOptions } from './command.ts';
import { createPlatformLink, type PlatformLink } from './platform-link.ts';
import type { Terminal } from './terminal.ts';

export type OpenContextOptions = {
  readonly config: Config;
  readonly system: System;
  readonly terminal: Terminal;
  readonly pause: (ms: number) => Promise<void>;
  /** Of whoever runs the command; undefined where users have no number. */
  readonly uid: number | undefined;
};

/** What root creates in another user's folder the server could not read. */
const refuseRootInForeignFolder = (dataDir: string, uid: number | undefined): void => {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (uid === 0 && owner !== undefined && owner !== 0)
    throw badInput(
      `${dataDir} belongs to the user ${owner}, not to root: run this as that user, for example with runuser.`,
    );
};

/** A context, and how to close what was opened in it. */
export const createContext = (
  options: OpenContextOptions,
): CommandContext & { readonly close: () => Promise<void> } => {
  const { config, system } = options;
  refuseRootInForeignFolder(config.dataDir, options.uid);
  let records: Promise<Records> | undefined;
  let platform: PlatformLink | undefined;

  const open = async ({ create = false, migrate = false }: OpenRecordsOptions): Promise<Records> => {
    const found = inspectDatabase(join(config.dataDir, DATABASE_FILE));
    if (!create && found.kind === 'absent') throw noRecords(config.dataDir);
    if (!migrate && found.kind === 'sound' && found.version < SCHEMA_VERSION)
      throw badInput('The database is of an older version: run ops migrate, or start the server.');
    return openRecords(config, system);
  };
  return {
    ...options,
    openRecords: (wanted = {}) => (records ??= open(wanted)),
    platform: () => (platform ??= createPlatformLink(config, system)),
    close: async () => {
      await platform?.door.close();
      await records?.then(
        ({ close }) => close(),
        () => {},
      );
    },
  };
};
