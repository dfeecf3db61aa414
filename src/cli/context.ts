import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { DATABASE_FILE, openRecords, type Records } from '#server/open-records.ts';
import type { System } from '#server/system.ts';
import { badInput, type CommandContext } from './command.ts';
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

  const open = async (create: boolean): Promise<Records> => {
    if (!create && !existsSync(join(config.dataDir, DATABASE_FILE)))
      throw badInput(`There are no records in ${config.dataDir}: check DATA_DIR, or start the server once.`);
    return openRecords(config, system);
  };
  return {
    ...options,
    openRecords: ({ create } = { create: false }) => (records ??= open(create)),
    platform: () => (platform ??= createPlatformLink(config, system)),
    close: async () => {
      await platform?.close();
      await records?.then(
        ({ close }) => close(),
        () => {},
      );
    },
  };
};
