import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock } from '#server/system.ts';
import { AppError } from '#server/app-error.ts';
import { ProfileSchema, type Profile } from '#shared/contract/profile.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { Snowflake } from '#shared/snowflake.ts';

/** An answer that another node got. */
export type SharedProfile = { readonly profile: Profile | null; readonly ageMs: number };

/** What one node was told, for the others. Best effort: if the store is down or slow, the platform is asked. */
export type SharedProfiles = {
  readonly get: (id: Snowflake) => Promise<SharedProfile | undefined>;
  readonly set: (id: Snowflake, profile: Profile | null, lifeMs: number) => Promise<void>;
};

const WAIT_MS = 50;

export const createSharedProfiles = (clock: Clock, store: SharedStore): SharedProfiles => {
  let isProfile = (_value: unknown): _value is Profile => false;
  // Loaded here, so that a site without a shared store does not pay for it.
  store.onSession(async () => {
    const { Value } = await import('typebox/value');
    isProfile = (value) => Value.Check(ProfileSchema, value);
  });

  /** Comes from outside, maybe from another version of ours: anything unexpected counts as not there. */
  const read = (id: Snowflake, text: unknown): SharedProfile | undefined => {
    const entry = typeof text === 'string' ? parseJson(text) : undefined;
    const { storedMs, profile } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (!Number.isSafeInteger(storedMs)) return undefined;
    const ageMs = Math.max(0, store.storeNowMs() - Number(storedMs));
    if (profile === null) return { profile, ageMs };
    return isProfile(profile) && profile.id === id ? { profile, ageMs } : undefined;
  };

  const keyOf = (id: Snowflake): string => store.key(`p:${id}`);
  return {
    get: (id) =>
      new Promise((resolve, reject) => {
        const cancel = clock.after(WAIT_MS, () => resolve(undefined));
        store
          .send('GET', keyOf(id))
          .then((text) => read(id, text))
          .catch(ignoreUnavailable)
          .then(resolve, reject)
          .finally(cancel);
      }),
    set: async (id, profile, lifeMs) => {
      if (lifeMs < 1) return;
      const entry = JSON.stringify({ storedMs: Math.floor(store.storeNowMs()), profile });
      await store.send('SET', keyOf(id), entry, 'PX', `${Math.floor(lifeMs)}`).catch(ignoreUnavailable);
    },
  };
};

const ignoreUnavailable = (error: unknown): undefined => {
  if (!(error instanceof AppError && error.code === 'store-unavailable')) throw error;
};
