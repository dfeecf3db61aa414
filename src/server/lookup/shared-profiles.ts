import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock } from '#server/system.ts';
import { ProfileSchema, type Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';

/** An answer that another node got. */
export type SharedProfile = { readonly profile: Profile | null; readonly ageMs: number };

/** What one node was told, for the others. Comfort only: where it fails or takes long, the platform is asked. */
export type SharedProfiles = {
  readonly get: (id: Snowflake) => Promise<SharedProfile | undefined>;
  /** For as long as it is good. */
  readonly set: (id: Snowflake, profile: Profile | null, lifeMs: number) => void;
};

const WAIT_MS = 50;

export const createSharedProfiles = (clock: Clock, store: SharedStore): SharedProfiles => {
  let isProfile = (_value: unknown): _value is Profile => false;
  // Loaded here, so that a site without a shared store does not pay for it.
  store.onSession(async () => {
    const { Value } = await import('typebox/value');
    isProfile = (value) => Value.Check(ProfileSchema, value);
  });

  /** It comes from outside, maybe from another version of us: what is not as it should be was not there. */
  const read = (id: Snowflake, text: unknown): SharedProfile | undefined => {
    if (typeof text !== 'string') return undefined;
    const { storedMs, profile } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (!Number.isSafeInteger(storedMs)) return undefined;
    const ageMs = Math.max(0, store.storeNowMs() - Number(storedMs));
    if (profile === null) return { profile, ageMs };
    return isProfile(profile) && profile.id === id ? { profile, ageMs } : undefined;
  };

  const keyOf = (id: Snowflake): string => store.key(`p:${id}`);
  return {
    get: (id) =>
      new Promise((resolve) => {
        const cancel = clock.after(WAIT_MS, () => resolve(undefined));
        void store
          .send('GET', keyOf(id))
          .then((text) => read(id, text))
          .catch(() => undefined)
          .then(resolve)
          .finally(cancel);
      }),
    set: (id, profile, lifeMs) => {
      if (lifeMs < 1) return;
      const entry = JSON.stringify({ storedMs: Math.floor(store.storeNowMs()), profile });
      store.send('SET', keyOf(id), entry, 'PX', `${Math.floor(lifeMs)}`).catch(() => {});
    },
  };
};
