import manifest from '#package.json' with { type: 'json' };
import type { Config } from '#server/config.ts';
import { createNodeRegister, type NodeRegister } from './node-register.ts';
import { createStoreAgreement } from './store-agreement.ts';
import type { Events } from '#server/observability/events.ts';
import { machineName, type Records } from '#server/open-records.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import { parseStoreAddress } from '#server/storage/redis/store-address.ts';
import { sleep, type System } from '#server/system.ts';

export type RegisterNodeDeps = {
  readonly config: Config;
  readonly records: Records;
  readonly system: System;
  readonly events: Events;
  /** Null without one. */
  readonly store: SharedStore | null;
};

const ALONE: NodeRegister = {
  join: async () => {},
  agreeOnStore: async () => {},
  isReplaced: () => false,
  leave: async () => {},
};

/** This server among those on the same records. In a folder it is alone: the folder is locked. */
export const registerNode = ({ config, records, system, events, store }: RegisterNodeDeps): NodeRegister => {
  if (config.databaseUrl === null) return ALONE;
  const name = machineName(config);
  const address = parseStoreAddress(config.sharedStateUrl?.reveal() ?? '');
  return createNodeRegister({
    system,
    database: records.database,
    self: { name, shared: store !== null, version: manifest.version },
    agreement: store && address ? createStoreAgreement({ name, address, store }) : null,
    keysInFile: records.vault.keysInFile,
    pause: (ms) => sleep(system.clock, ms),
    onFailure: events.refreshFailed,
    onRival: events.serverReplaced,
  });
};
