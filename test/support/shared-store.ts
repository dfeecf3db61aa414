import { createSharedStore, type SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Site } from '#server/storage/redis/site-claim.ts';
import { parseStoreAddress, type StoreAddress } from '#server/storage/redis/store-address.ts';
import { realSystem, type Clock } from '#server/system.ts';

export type TestStore = SharedStore & {
  /** What was told, in order: `found`, why it was lost, or what failed. */
  readonly told: readonly string[];
  readonly calls: Readonly<Record<'answered' | 'failed', number>>;
  readonly [Symbol.dispose]: () => void;
};

export const storeAddress = (url: string): StoreAddress => {
  const address = parseStoreAddress(url);
  if (address === undefined) throw new Error('This is no address of a store.');
  return address;
};

const TEST_SITE: Site = { id: 'test', url: 'https://lookup.test' };

/** Not started yet: parts may still add a handshake. The real clock, because Redis has it too. */
export const createTestStore = (
  url: string,
  clock: Clock = realSystem.clock,
  site: Site = TEST_SITE,
): TestStore => {
  const told: string[] = [];
  const calls = { answered: 0, failed: 0 };
  const store = createSharedStore({
    clock,
    address: storeAddress(url),
    site,
    events: {
      sharedStoreCalled: (_tookMs, outcome) => {
        calls[outcome] += 1;
      },
      sharedStoreLost: (problem) => void told.push(problem),
      sharedStoreFound: () => void told.push('found'),
      sharedStoreFailed: (error) => void told.push(String(error)),
    },
  });
  return { ...store, told, calls, [Symbol.dispose]: store.close };
};

export const startTestStore = async (url: string, clock?: Clock): Promise<TestStore> => {
  const store = createTestStore(url, clock);
  await store.start();
  return store;
};
