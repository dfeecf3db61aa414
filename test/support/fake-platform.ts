import type { DiscordClient } from '#server/platform/discord-client.ts';
import { createPlatform, type Platform } from '#server/platform/platform.ts';
import { createTokenPool, type TokenPool, type TokenPoolDeps } from '#server/tokens/token-pool.ts';
import { createMemoryPlatformStore, type PlatformStore } from '#server/platform/platform-store.ts';
import { createMemoryTokenStore, type TokenStore } from '#server/tokens/token-store.ts';
import type { System } from '#server/system.ts';

export type FakePlatformOptions = {
  readonly system: System;
  readonly client: Partial<DiscordClient>;
  readonly perSecond?: number;
  readonly invalidRequestLimit?: number;
  /** What servers agree on; in memory if it is not given. */
  readonly stores?: { readonly platform: PlatformStore; readonly tokens: TokenStore } | undefined;
};

export type TestPoolOptions = FakePlatformOptions & Partial<Pick<TokenPoolDeps, 'onSuspected' | 'onRetired'>>;

const notAsked = (): never => {
  throw new TypeError('Nobody should ask this.');
};

const fakeClient = (client: Partial<DiscordClient>): DiscordClient => ({
  getUser: notAsked,
  getOwnUser: notAsked,
  getOwnApplication: notAsked,
  getInvite: notAsked,
  getGateway: notAsked,
  close: () => {},
  ...client,
});

/** In a test, nothing in the background may fail unnoticed. */
const throwIt = (error: unknown): never => {
  throw error;
};

/** The real platform, with its pace, breakers and limits, in front of a fake client. */
export const createFakePlatform = (options: FakePlatformOptions): Platform => {
  const { system, client, perSecond = 1e9, invalidRequestLimit = 1e9, stores } = options;
  const { clock, random } = system;
  return createPlatform({
    clock,
    random,
    client: fakeClient(client),
    store: stores?.platform ?? createMemoryPlatformStore(clock, perSecond),
    onAnswer: () => {},
    onDefect: throwIt,
    invalidRequestLimit,
  });
};

/** The real pool in front of it. */
export const createTestPool = (options: TestPoolOptions): { platform: Platform; pool: TokenPool } => {
  const { onSuspected = () => {}, onRetired = () => {} } = options;
  const { clock } = options.system;
  const platform = createFakePlatform(options);
  const pool = createTokenPool({
    clock,
    platform,
    store: options.stores?.tokens ?? createMemoryTokenStore(clock),
    idOf: ({ botId, secret }) => `${botId}:${secret.reveal()}`,
    onSuspected,
    onRetired,
    onFailure: throwIt,
  });
  return { platform, pool };
};
