import { createRedisSpentProofs } from './admission/redis-spent-proofs.ts';
import { createMemorySpentProofs, type SpentProofs } from './admission/spent-proofs.ts';
import type { Config } from './config.ts';
import { createSharedFigures } from './lookup/shared-figures.ts';
import { createSharedProfiles, type SharedProfiles } from './lookup/shared-profiles.ts';
import type { Events } from './observability/events.ts';
import type { Logger } from './observability/logger.ts';
import { createOwnFigures, type FiguresOf } from './observability/own-figures.ts';
import { createSharedStoreEvents } from './observability/shared-store-events.ts';
import { createSharedStore, type SharedStore } from './storage/redis/shared-store.ts';
import { parseStoreAddress } from './storage/redis/store-address.ts';
import type { System } from './system.ts';
import { createDailySecret, createSharedDailySecret, type DailySecret } from './visitors/daily-secret.ts';
import { createRedisVisitorCounters } from './visitors/redis-visitor-counters.ts';
import { createMemoryVisitorCounters, type VisitorCounters } from './visitors/visitor-counters.ts';

/** What all nodes must agree on but need not outlive them. In memory if there is only one node. */
export type SharedState = {
  /** Null if there is only one node. */
  readonly store: SharedStore | null;
  readonly spentProofs: SpentProofs;
  readonly counters: VisitorCounters;
  readonly dailySecret: DailySecret;
  readonly profiles: SharedProfiles | null;
  /** The status of all nodes. To be called before the store is started. */
  readonly figuresOf: FiguresOf;
};

export type SharedStateDeps = {
  readonly config: Config;
  readonly system: System;
  readonly logger: Logger;
  readonly events: Events;
  readonly cdnUrl: string;
  /** From the keyring. */
  readonly siteId: () => string;
  /** For one day; from the keyring. */
  readonly visitorSecret: (day: number) => string;
};

export const createSharedState = (deps: SharedStateDeps): SharedState => {
  const { config, system, logger, events, siteId, visitorSecret } = deps;
  const { clock } = system;
  const address = parseStoreAddress(config.sharedStateUrl?.reveal() ?? '');
  if (address === undefined) {
    const counters = createMemoryVisitorCounters({ clock });
    return {
      store: null,
      spentProofs: createMemorySpentProofs({ system, counters }),
      counters,
      dailySecret: createDailySecret(system),
      profiles: null,
      figuresOf: (tokens) => createOwnFigures(clock, { ...events, tokens }),
    };
  }
  const isUp = (): boolean => store.problem() === null;
  const storeEvents = createSharedStoreEvents(logger, events.registry, isUp);
  const store = createSharedStore({
    clock,
    address,
    site: { id: siteId(), url: config.publicUrl },
    events: { ...storeEvents, sharedStoreFailed: events.requestFailed },
  });
  const counters = createRedisVisitorCounters(clock, store);
  return {
    store,
    spentProofs: createRedisSpentProofs({
      system,
      store,
      counters,
      ttlMs: config.captcha.ttlSeconds * 1_000,
    }),
    counters,
    dailySecret: createSharedDailySecret(store, visitorSecret),
    profiles: createSharedProfiles(clock, store, deps.cdnUrl),
    figuresOf: (tokens) => createSharedFigures(clock, store, { ...events, tokens }),
  };
};
