import { AppError } from '#server/app-error.ts';
import type { Clock } from '#server/system.ts';
import type { CdnUrls } from '#shared/cdn-url.ts';
import type { NotFound, Profile } from '#shared/contract/profile.ts';
import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import type { FetchUser } from './fetch-user.ts';
import type { ProfileCache } from './profile-cache.ts';
import { createSingleFlight } from './single-flight.ts';
import { toProfile } from './to-profile.ts';

export type LookupResult =
  | { readonly kind: 'found'; readonly profile: Profile; readonly ageMs: number }
  | { readonly kind: 'not-found'; readonly body: NotFound };

/** `whenGone` is asked for only if the answer is not at hand: it fires if the visitor leaves. */
export type LookUpProfile = (id: Snowflake, whenGone: () => AbortSignal) => Promise<LookupResult>;

export type LookUpProfileDeps = {
  readonly clock: Clock;
  readonly cdn: CdnUrls;
  readonly cache: ProfileCache;
  readonly fetchUser: FetchUser;
  /** People who asked not to be shown; answered exactly like an id that nobody has. */
  readonly isOptedOut: (id: Snowflake) => boolean;
  /** Takes about as long as asking the platform. */
  readonly pretendToAsk: () => Promise<null>;
  readonly onCacheAsked: (result: 'hit' | 'miss') => void;
};

export const createLookUpProfile = (deps: LookUpProfileDeps): LookUpProfile => {
  const { clock, cdn, cache, fetchUser, isOptedOut, pretendToAsk, onCacheAsked } = deps;

  const flights = createSingleFlight<Snowflake, Profile | null>(async (id, calledOff, departed) => {
    const asked = isOptedOut(id) ? pretendToAsk() : fetchUser(id, calledOff, departed);
    const user = await asked.catch((error: unknown) => {
      // Whoever left while waiting for a token is counted with those the pool refused, not as a failure of ours.
      throw calledOff.aborted ? new AppError('pool-busy') : error;
    });
    // Asked again, because the wish may have come while the platform was thinking.
    const profile = user === null || isOptedOut(id) ? null : toProfile(user, cdn);
    cache.set(id, profile);
    return profile;
  });

  return async (id, whenGone) => {
    const known = cache.get(id);
    const cached = known?.profile && isOptedOut(id) ? undefined : known;
    onCacheAsked(cached === undefined ? 'miss' : 'hit');
    if (cached !== undefined) return toResult(id, cached.profile, clock.monotonicMs() - cached.storedMs);
    return toResult(id, await flights.join(id, whenGone()), 0);
  };
};

const toResult = (id: Snowflake, profile: Profile | null, ageMs: number): LookupResult =>
  profile === null
    ? { kind: 'not-found', body: { id, created_utc: new Date(snowflakeCreatedMs(id)).toISOString() } }
    : { kind: 'found', profile, ageMs };
