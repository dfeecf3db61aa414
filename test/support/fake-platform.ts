import type { DiscordClient } from '#server/platform/discord-client.ts';
import { createInvalidRequestGovernor } from '#server/platform/invalid-request-governor.ts';
import { createPlatform, type LocalPlatform } from '#server/platform/platform.ts';
import type { System } from '#server/system.ts';

export type FakePlatformOptions = {
  readonly system: System;
  readonly client: Partial<DiscordClient>;
  readonly perSecond?: number;
  readonly invalidRequestLimit?: number;
};

const notAsked = (): never => {
  throw new TypeError('Nobody should ask this.');
};

export const fakeClient = (client: Partial<DiscordClient>): DiscordClient => ({
  getUser: notAsked,
  getOwnUser: notAsked,
  getOwnApplication: notAsked,
  getInvite: notAsked,
  getGateway: notAsked,
  close: async () => {},
  ...client,
});

/** The real door, with its pace, breaker and governor, in front of a client that is made up. */
export const createFakePlatform = (options: FakePlatformOptions): LocalPlatform => {
  const { system, client, perSecond = 1e9, invalidRequestLimit = 1e9 } = options;
  const { clock, random } = system;
  return createPlatform({
    clock,
    random,
    client: fakeClient(client),
    governor: createInvalidRequestGovernor({
      clock,
      journal: { load: () => [], save: () => {} },
      onJournalFailed: () => {},
      limit: invalidRequestLimit,
    }),
    perSecond,
    onAnswer: () => {},
  });
};
