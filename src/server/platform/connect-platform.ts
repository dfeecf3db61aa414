import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { System } from '#server/system.ts';
import { createDiscordClient } from './discord-client.ts';
import type { InvalidRequestJournal } from './invalid-request-file.ts';
import { createInvalidRequestGovernor } from './invalid-request-governor.ts';
import { createPlatform, type LocalPlatform, type PlatformDeps } from './platform.ts';
import { createSharedPlatform, type SharedPlatform } from './shared/shared-platform.ts';

export type ConnectPlatformDeps = {
  readonly system: System;
  readonly apiUrl: string;
  /** The site's own address: the platform wants to know who asks. */
  readonly publicUrl: string;
  readonly perSecond: number;
  readonly journal: InvalidRequestJournal;
  readonly onJournalFailed: () => void;
  readonly onAnswer: PlatformDeps['onAnswer'];
};

const partsOf = (deps: ConnectPlatformDeps): PlatformDeps => {
  const { system, apiUrl, publicUrl, perSecond, journal, onJournalFailed, onAnswer } = deps;
  const { clock, random } = system;
  return {
    clock,
    random,
    client: createDiscordClient({ clock, apiUrl, publicUrl }),
    governor: createInvalidRequestGovernor({ clock, journal, onJournalFailed }),
    perSecond,
    onAnswer,
  };
};

/** The door with the real client behind it; nothing outside this folder gets hold of the client. */
export const connectPlatform = (deps: ConnectPlatformDeps): LocalPlatform => createPlatform(partsOf(deps));

export const connectSharedPlatform = (deps: ConnectPlatformDeps, store: SharedStore): SharedPlatform =>
  createSharedPlatform({ ...partsOf(deps), store });
