import { hostname } from 'node:os';
import manifest from '#package.json' with { type: 'json' };
import { sharesState, type Config } from './config.ts';
import { createNodeRegister, type NodeRegister } from './nodes/node-register.ts';
import type { Events } from './observability/events.ts';
import type { Records } from './open-records.ts';
import { sleep, type System } from './system.ts';

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
        self: { name: hostname(), shared: sharesState(config), version: manifest.version },
        keysInFile: records.vault.keysInFile,
        pause: (ms) => sleep(system.clock, ms),
        onFailure: events.refreshFailed,
        onRival: events.serverReplaced,
      });
