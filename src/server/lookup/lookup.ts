import type { Events } from '#server/observability/events.ts';
import { createFetchUser, type FetchUserDeps } from './fetch-user.ts';
import { createLookUpProfile, type LookUpProfile, type LookUpProfileDeps } from './look-up-profile.ts';
import { createPretendedCall } from './pretended-call.ts';
import { createProfileCache } from './profile-cache.ts';

export type LookupDeps = Omit<FetchUserDeps, 'onAnswer'> &
  Pick<LookUpProfileDeps, 'cdn' | 'isOptedOut'> & {
    readonly cacheSeconds: number;
    readonly events: Pick<Events, 'upstreamAnswered' | 'lookedUp'>;
  };

export type Lookup = { readonly lookUpProfile: LookUpProfile; readonly cachedProfiles: () => number };

/** The use case with its parts: cache, the calls to the platform, and the calls that are only pretended. */
export const createLookup = (deps: LookupDeps): Lookup => {
  const { system, cacheSeconds, events } = deps;
  const { clock } = system;
  const cache = createProfileCache({ clock, ttlMs: cacheSeconds * 1_000 });
  const pretended = createPretendedCall(system);
  const fetchUser = createFetchUser({
    ...deps,
    onAnswer: (kind, tookMs) => {
      events.upstreamAnswered(kind);
      pretended.observe(tookMs);
    },
  });
  const lookUpProfile = createLookUpProfile({
    ...deps,
    clock,
    cache,
    fetchUser,
    pretendToAsk: pretended.pretend,
    onLookup: events.lookedUp,
  });
  return { lookUpProfile, cachedProfiles: cache.size };
};
