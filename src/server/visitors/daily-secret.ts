import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { System } from '#server/system.ts';

/** What visitors' addresses are digested with. Another one each day: nothing counted leads back to them later. */
export type DailySecret = () => string;

const DAY_MS = 86_400_000;

export const createDailySecret = ({ clock, random }: System): DailySecret => {
  let secret = '';
  let renewAtMs = -Infinity;
  return () => {
    if (clock.monotonicMs() >= renewAtMs) {
      secret = random.bytes(32).toString('hex');
      renewAtMs = clock.monotonicMs() + DAY_MS;
    }
    return secret;
  };
};

/**
 * The same for all nodes, by days of UTC. `secretOf` takes it from the keyring: next to the digests, in the store, it
 * would let a thief of the store try out all addresses.
 */
export const createSharedDailySecret = (
  store: Pick<SharedStore, 'session' | 'storeNowMs'>,
  secretOf: (day: number) => string,
): DailySecret => {
  let known = { day: Number.NaN, secret: '' };
  return () => {
    // Without one the store's clock is unknown, and the day with it.
    store.session();
    const day = Math.floor(store.storeNowMs() / DAY_MS);
    if (day !== known.day) known = { day, secret: secretOf(day) };
    return known.secret;
  };
};
