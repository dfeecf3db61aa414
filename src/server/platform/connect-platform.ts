import type { Config } from '#server/config.ts';
import type { System } from '#server/system.ts';
import { createDiscordClient } from './discord-client.ts';
import type { InvalidRequestJournal } from './invalid-request-file.ts';
import { createInvalidRequestGovernor } from './invalid-request-governor.ts';
import { createPlatform, type Platform, type PlatformDeps } from './platform.ts';

export type ConnectPlatformDeps = {
  readonly system: System;
  readonly config: Config;
  readonly apiUrl: string;
  readonly journal: InvalidRequestJournal;
  readonly onJournalFailed: () => void;
  readonly onAnswer: PlatformDeps['onAnswer'];
};

/** The door with the real client behind it; nothing outside this folder gets hold of the client. */
export const connectPlatform = (deps: ConnectPlatformDeps): Platform => {
  const { system, config, apiUrl, journal, onJournalFailed, onAnswer } = deps;
  const { clock, random } = system;
  return createPlatform({
    clock,
    random,
    client: createDiscordClient({ clock, apiUrl, publicUrl: config.publicUrl }),
    governor: createInvalidRequestGovernor({ clock, journal, onJournalFailed }),
    perSecond: config.egressPerSecond,
    onAnswer,
  });
};
