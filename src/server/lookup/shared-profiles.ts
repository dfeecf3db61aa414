import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock } from '#server/system.ts';
import { AppError } from '#server/app-error.ts';
import { ProfileSchema, type Profile } from '#shared/contract/profile.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { Snowflake } from '#shared/snowflake.ts';

/** An answer that another node got. */
export type SharedProfile = { readonly profile: Profile | null; readonly ageMs: number };

/** Shares one node's answers with the others. Best effort: if the store is down or slow, the platform is asked. */
export type SharedProfiles = {
  readonly get: (id: Snowflake) => Promise<SharedProfile | undefined>;
  readonly set: (id: Snowflake, profile: Profile | null, lifeMs: number) => Promise<void>;
};

const WAIT_MS = 50;
const BADGE = /^\/badges\/[\w-]+\.svg$/;

const imagesOf = (profile: Profile): string[] =>
  [
    profile.avatar_url,
    profile.banner_url,
    profile.badge_url,
    profile.avatar_decoration_url,
    profile.nameplate?.static_url ?? null,
    profile.nameplate?.animated_url ?? null,
  ].filter((url) => url !== null);

export const createSharedProfiles = (clock: Clock, store: SharedStore, cdnUrl: string): SharedProfiles => {
  let isProfile = (_value: unknown): _value is Profile => false;
  // Loaded here, so that sites without a shared store do not load it.
  store.onSession(async () => {
    const { Value } = await import('typebox/value');
    isProfile = (value) => Value.Check(ProfileSchema, value);
  });

  /** A store that somebody else writes to must not lead visitors elsewhere. */
  const hasOwnImages = (profile: Profile): boolean =>
    imagesOf(profile).every((url) => url.startsWith(`${cdnUrl}/`)) &&
    profile.flags.every(({ image }) => image === null || BADGE.test(image));

  /** Comes from outside, perhaps from another version: anything unexpected counts as missing. */
  const read = (id: Snowflake, text: unknown): SharedProfile | undefined => {
    const entry = typeof text === 'string' ? parseJson(text) : undefined;
    const { storedMs, profile } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (!Number.isSafeInteger(storedMs)) return undefined;
    const ageMs = Math.max(0, store.storeNowMs() - Number(storedMs));
    if (profile === null) return { profile, ageMs };
    const isOurs = isProfile(profile) && profile.id === id && hasOwnImages(profile);
    return isOurs ? { profile, ageMs } : undefined;
  };

  const keyOf = (id: Snowflake): string => store.key(`p:${id}`);
  return {
    get: (id) =>
      new Promise((resolve, reject) => {
        const cancel = clock.after(WAIT_MS, () => resolve(undefined));
        store
          // Where `GET` would fail if somebody else wrote something odd there, this finds nothing.
          .send('MGET', keyOf(id))
          .then((found) => read(id, (found as readonly unknown[])[0]))
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
