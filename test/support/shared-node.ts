import { hash } from 'node:crypto';
import { createInvalidRequestGovernor } from '#server/platform/invalid-request-governor.ts';
import { createSharedPlatform, type SharedPlatform } from '#server/platform/shared/shared-platform.ts';
import { sharedTokens } from '#server/pool/shared/shared-tokens.ts';
import { createTokenPoolOf, type TokenPool } from '#server/pool/token-pool.ts';
import type { TokenSourceEvents } from '#server/pool/token-source.ts';
import { fakeClient, type FakePlatformOptions } from './fake-platform.ts';
import type { FakeSystem } from './fake-system.ts';
import { createFakeTimeStore, type FakeTimeStore } from './fake-time-store.ts';

export type SharedNodeOptions = Omit<FakePlatformOptions, 'system'> & {
  readonly system: FakeSystem;
  readonly url: string;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
  readonly onSuspected?: TokenSourceEvents['onSuspected'];
  /** What reading the records does. */
  readonly confirm?: () => Promise<void>;
};

export type SharedNode = {
  readonly pool: TokenPool;
  readonly platform: SharedPlatform;
  readonly store: FakeTimeStore;
  readonly [Symbol.dispose]: () => void;
};

/** One of several machines: the real door and the real pool on a real engine, in the time of a test. */
export const startSharedNode = async (options: SharedNodeOptions): Promise<SharedNode> => {
  const {
    system,
    url,
    client,
    perSecond = 1e9,
    invalidRequestLimit = 1e9,
    confirm = async () => {},
    ...pool
  } = options;
  const { clock, random } = system;
  const store = createFakeTimeStore(url, system);
  const limit = invalidRequestLimit;
  const journal = { load: () => [], save: () => {} };
  const platform = createSharedPlatform({
    clock,
    random,
    client: fakeClient(client),
    governor: createInvalidRequestGovernor({ clock, journal, onJournalFailed: () => {}, limit }),
    perSecond,
    onAnswer: () => {},
    store,
    invalidRequestLimit: limit,
  });
  const idOf = ({ secret }: { secret: { reveal: () => string } }) => hash('sha256', secret.reveal());
  const open = sharedTokens({ clock, store, platform, idOf, confirm });
  const tokens = createTokenPoolOf({ clock, platform, open, ...pool });
  await store.start();
  return { pool: tokens, platform, store, [Symbol.dispose]: store[Symbol.dispose] };
};
