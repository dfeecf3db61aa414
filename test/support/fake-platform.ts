import type { DiscordClient } from '#server/platform/discord-client.ts';
import { createPlatform, type Platform, type PlatformDeps } from '#server/platform/platform.ts';
import { createTokenPool, type TokenPool, type TokenPoolDeps } from '#server/pool/token-pool.ts';
import { openMemoryTokenStore } from '#server/state/memory-token-store.ts';
import type { OpenTokenStore } from '#server/state/token-store.ts';
import type { System } from '#server/system.ts';

export type FakePlatformOptions = {
  readonly system: System;
  readonly client: Partial<DiscordClient>;
  readonly perSecond?: number;
  readonly invalidRequestLimit?: number;
  readonly openStore?: OpenTokenStore | undefined;
};

export type TestPoolOptions = FakePlatformOptions &
  Partial<Pick<TokenPoolDeps, 'maxWaiting' | 'maxWaitMs' | 'onSuspected' | 'onRetired'>>;

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

/** In a test, nothing in the background may fail unnoticed. */
const throwIt = (error: unknown): never => {
  throw error;
};

const start = (options: FakePlatformOptions, serve: () => void) => {
  const { system, client, perSecond = 1e9, invalidRequestLimit = 1e9 } = options;
  const { clock, random } = system;
  const store = (options.openStore ?? openMemoryTokenStore({ clock, perSecond }))(serve);
  const deps: PlatformDeps = {
    clock,
    random,
    client: fakeClient(client),
    store,
    onAnswer: () => {},
    onSettled: serve,
    onDefect: throwIt,
    invalidRequestLimit,
  };
  return { clock, store, platform: createPlatform(deps) };
};

/** The real platform, with its pace, breakers and limits, in front of a fake client. */
export const createFakePlatform = (options: FakePlatformOptions): Platform =>
  start(options, () => {}).platform;

/** The real pool in front of it. */
export const createTestPool = (options: TestPoolOptions): { platform: Platform; pool: TokenPool } => {
  const { maxWaiting, maxWaitMs, onSuspected = () => {}, onRetired = () => {} } = options;
  const { clock, store, platform } = start(options, () => pool.serve());
  const pool = createTokenPool({
    clock,
    platform,
    store,
    idOf: ({ botId, secret }) => `${botId}:${secret.reveal()}`,
    onSuspected,
    onRetired,
    onFailure: throwIt,
    ...(maxWaiting !== undefined && { maxWaiting }),
    ...(maxWaitMs !== undefined && { maxWaitMs }),
  });
  return { platform, pool };
};
