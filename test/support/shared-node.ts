import { hash } from 'node:crypto';
import { createInBackground } from '#server/storage/redis/in-background.ts';
import type { Epoch } from '#server/platform/permit-store/epoch.ts';
import { createRedisPermitStore } from '#server/platform/permit-store/redis-permit-store.ts';
import type { Platform } from '#server/platform/platform.ts';
import { createTokenPool, type TokenPool, type TokenPoolDeps } from '#server/pool/token-pool.ts';
import { openRedisTokenStore } from '#server/pool/token-store/redis-token-store.ts';
import { createFakePlatform, type FakePlatformOptions } from './fake-platform.ts';
import type { FakeSystem } from './fake-system.ts';
import { createFakeTimeStore, type FakeTimeStore } from './fake-time-store.ts';

export type SharedNodeOptions = Omit<FakePlatformOptions, 'system' | 'openStore'> &
  Partial<Pick<TokenPoolDeps, 'maxWaiting' | 'maxWaitMs' | 'onSuspected'>> & {
    readonly system: FakeSystem;
    readonly url: string;
    /** What reading the records does. */
    readonly confirm?: () => Promise<void>;
  };

export type SharedNode = {
  readonly pool: TokenPool;
  readonly platform: Platform;
  readonly store: FakeTimeStore;
  /** What went wrong in the background, other than the store being out of reach. */
  readonly defects: readonly unknown[];
  readonly [Symbol.dispose]: () => void;
};

/** One of several nodes: the real platform and the real pool on a real Redis, on a fake clock. */
export const startSharedNode = async (options: SharedNodeOptions): Promise<SharedNode> => {
  const { system, url, client, perSecond = 1e9, invalidRequestLimit = 1e9, ...rest } = options;
  const { clock, random } = system;
  const store = createFakeTimeStore(url, system);
  const defects: unknown[] = [];
  const inBackground = createInBackground((error) => defects.push(error));
  let epoch: Epoch | undefined;
  const platform = createFakePlatform({
    system,
    client,
    invalidRequestLimit,
    openStore: (standing) => {
      const permits = createRedisPermitStore({
        clock,
        random,
        store,
        inBackground,
        standing,
        perSecond,
      });
      epoch = permits.epoch;
      return permits;
    },
  });
  if (epoch === undefined) throw new Error('There is no epoch without a store.');
  const { confirm = async () => {}, onSuspected = () => {}, ...limits } = rest;
  const pool = createTokenPool({
    clock,
    platform,
    openStore: openRedisTokenStore({ clock, store, epoch, inBackground, confirm }),
    idOf: ({ secret }) => hash('sha256', secret.reveal()),
    inBackground,
    onSuspected,
    ...limits,
  });
  await store.start();
  return { pool, platform, store, defects, [Symbol.dispose]: store[Symbol.dispose] };
};
