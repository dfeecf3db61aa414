import type { Events } from '#server/observability/events.ts';
import { createFetchUser, type FetchUser, type FetchUserDeps } from './fetch-user.ts';
import { createLookUpProfile, type LookUpProfile, type LookUpProfileDeps } from './look-up-profile.ts';
import { createPretendedCall } from './pretended-call.ts';
import { createProfileCache } from './profile-cache.ts';

export type LookupDeps = Omit<FetchUserDeps, 'onLeaseEnded'> &
  Pick<LookUpProfileDeps, 'cdn' | 'isOptedOut'> & {
    readonly cacheSeconds: number;
    readonly events: Pick<Events, 'leaseEnded' | 'cacheAsked'>;
  };

export type Lookup = { readonly lookUpProfile: LookUpProfile; readonly cachedProfiles: () => number };

/** The use case with its parts: cache, the calls to the platform, and the calls that are only pretended. */
export const createLookup = (deps: LookupDeps): Lookup => {
  const { system, pool, cacheSeconds, events } = deps;
  const { clock } = system;
  const cache = createProfileCache({ clock, ttlMs: cacheSeconds * 1_000 });
  const pretended = createPretendedCall(system);
  const ask = createFetchUser({ ...deps, onLeaseEnded: events.leaseEnded });
  const fetchUser: FetchUser = async (id, calledOff, departed) => {
    const askedMs = clock.monotonicMs();
    const user = await ask(id, calledOff, departed);
    pretended.observe(clock.monotonicMs() - askedMs);
    return user;
  };
  const lookUpProfile = createLookUpProfile({
    ...deps,
    clock,
    cache,
    fetchUser,
    pretendToAsk: () => {
      // While nobody can be looked up, who is not to be shown must not stand out by an answer.
      const refusal = pool.refusesNow();
      return refusal === undefined ? pretended.pretend() : Promise.reject(refusal);
    },
    onCacheAsked: events.cacheAsked,
  });
  return { lookUpProfile, cachedProfiles: cache.size };
};
