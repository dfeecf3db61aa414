import manifest from '#package.json' with { type: 'json' };
import type { Config } from '#server/config.ts';
import { createNodeRegister, type NodeRegister } from './node-register.ts';
import type { Events } from '#server/observability/events.ts';
import { machineName, type Records } from '#server/open-records.ts';
import { sleep, type System } from '#server/system.ts';

export type RegisterNodeDeps = {
  readonly config: Config;
  readonly records: Records;
  readonly system: System;
  readonly events: Events;
};

/** This server among those on the same records. In a folder it is alone: the folder is locked. */
export const registerNode = ({ config, records, system, events }: RegisterNodeDeps): NodeRegister =>
  config.databaseUrl === null
    ? { join: async () => {}, isReplaced: () => false, leave: async () => {} }
    : createNodeRegister({
        system,
        database: records.database,
        self: {
          name: machineName(config),
          shared: config.sharedStateUrl !== null,
          version: manifest.version,
        },
        keysInFile: records.vault.keysInFile,
        pause: (ms) => sleep(system.clock, ms),
        onFailure: events.refreshFailed,
        onRival: events.serverReplaced,
      });
