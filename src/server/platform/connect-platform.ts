import type { InBackground } from '#server/storage/redis/in-background.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { System } from '#server/system.ts';
import { createDiscordClient } from './discord-client.ts';
import type { Epoch } from './permit-store/epoch.ts';
import { createMemoryPermitStore } from './permit-store/memory-permit-store.ts';
import { createRedisPermitStore } from './permit-store/redis-permit-store.ts';
import { createStanding, type StandingDeps } from './permit-store/standing.ts';
import { createPlatform, type Platform, type PlatformDeps } from './platform.ts';

export type ConnectPlatformDeps = Omit<StandingDeps, 'clock'> & {
  readonly system: System;
  readonly apiUrl: string;
  /** The site's own address: the platform wants to know who asks. */
  readonly publicUrl: string;
  readonly perSecond: number;
  readonly onAnswer: PlatformDeps['onAnswer'];
};

export type SharedPlatformDeps = ConnectPlatformDeps & {
  readonly store: SharedStore;
  readonly inBackground: InBackground;
};

const partsOf = (deps: ConnectPlatformDeps) => {
  const { system, apiUrl, publicUrl, onAnswer } = deps;
  const { clock, random } = system;
  return {
    clock,
    random,
    client: createDiscordClient({ clock, apiUrl, publicUrl }),
    standing: createStanding({ ...deps, clock }),
    onAnswer,
  };
};

/** For a single server, or a command on the same machine. The client never leaves this folder. */
export const connectPlatform = (deps: ConnectPlatformDeps): Platform => {
  const parts = partsOf(deps);
  const { perSecond } = deps;
  return createPlatform({ ...parts, store: createMemoryPermitStore({ ...parts, perSecond }) });
};

/** For one of several nodes. */
export const connectSharedPlatform = (deps: SharedPlatformDeps): { platform: Platform; epoch: Epoch } => {
  const parts = partsOf(deps);
  const store = createRedisPermitStore({ ...parts, ...deps });
  return { platform: createPlatform({ ...parts, store }), epoch: store.epoch };
};
