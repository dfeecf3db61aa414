import type { EgressJournal } from '#server/platform/egress-file.ts';
import type { DiscordClient } from '#server/platform/discord-client.ts';
import { createMemoryPermitStore } from '#server/platform/permit-store/memory-permit-store.ts';
import type { PermitStore } from '#server/platform/permit-store/permit-store.ts';
import { createStanding, type Standing } from '#server/platform/permit-store/standing.ts';
import { createPlatform, type Platform } from '#server/platform/platform.ts';
import type { System } from '#server/system.ts';

export type FakePlatformOptions = {
  readonly system: System;
  readonly client: Partial<DiscordClient>;
  readonly perSecond?: number;
  readonly invalidRequestLimit?: number;
  /** In memory if there is none. */
  readonly openStore?: (standing: Standing) => PermitStore;
};

const notAsked = (): never => {
  throw new TypeError('Nobody should ask this.');
};

const fakeClient = (client: Partial<DiscordClient>): DiscordClient => ({
  getUser: notAsked,
  getOwnUser: notAsked,
  getOwnApplication: notAsked,
  getInvite: notAsked,
  getGateway: notAsked,
  close: async () => {},
  ...client,
});

/** Neither keeps notes nor reads any. */
export const forgetful: EgressJournal = { read: () => [], write: () => {} };

export const testStanding = ({ clock }: System, limit = 1e9): Standing =>
  createStanding({ clock, journal: forgetful, onJournalFailed: () => {}, limit });

/** The real platform, with its pace, breakers and limits, in front of a fake client. */
export const createFakePlatform = (options: FakePlatformOptions): Platform => {
  const { system, client, perSecond = 1e9, invalidRequestLimit } = options;
  const { clock, random } = system;
  const standing = testStanding(system, invalidRequestLimit);
  const store = options.openStore?.(standing) ?? createMemoryPermitStore({ clock, standing, perSecond });
  return createPlatform({
    clock,
    random,
    client: fakeClient(client),
    store,
    standing,
    onAnswer: () => {},
  });
};
