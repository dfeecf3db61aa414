import { AppError } from '#server/app-error.ts';
import type { Events } from '#server/observability/events.ts';
import type { TokenPool } from '#server/pool/token-pool.ts';
import type { System } from '#server/system.ts';
import type { Ticket } from '#server/pool/ticket.ts';
import type { CdnUrls } from '#shared/cdn-url.ts';
import type { NotFound, Profile } from '#shared/contract/profile.ts';
import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { createFetchUser } from './fetch-user.ts';
import { createProfileCache } from './profile-cache.ts';
import { createSingleFlight } from './single-flight.ts';
import { drawStandIn } from './stand-in.ts';
import { toProfile } from './to-profile.ts';

export type LookupResult =
  | { readonly kind: 'found'; readonly profile: Profile; readonly ageMs: number }
  | { readonly kind: 'not-found'; readonly body: NotFound };

/** `leaving` fires if the visitor leaves. It is only asked for if the answer is not in the cache. */
export type LookUpProfile = (
  id: Snowflake,
  ticket: Ticket,
  leaving: () => AbortSignal,
) => Promise<LookupResult>;

export type Lookup = { readonly lookUpProfile: LookUpProfile; readonly cachedProfiles: () => number };

export type LookupDeps = {
  readonly system: System;
  readonly pool: TokenPool;
  readonly cdn: CdnUrls;
  readonly cacheSeconds: number;
  /** Of people who asked not to be shown. They are answered exactly like an id that nobody has. */
  readonly isOptedOut: (id: Snowflake) => boolean;
  readonly events: Events;
};

/** The use case: from an id to a profile, through the cache, a lookup in flight, or the platform. */
export const createLookup = (deps: LookupDeps): Lookup => {
  const { system, pool, cdn, cacheSeconds, isOptedOut, events } = deps;
  const { clock } = system;
  const cache = createProfileCache({ clock, ttlMs: cacheSeconds * 1_000 });
  const fetchUser = createFetchUser({ system, pool, onLeaseEnded: events.leaseEnded });

  const flights = createSingleFlight<Snowflake, Profile | null>({
    run: async (id, tickets, signal) => {
      const user = await fetchUser(isOptedOut(id) ? drawStandIn(system) : id, tickets, signal);
      // Again, because the opt-out may have come while the platform was asked.
      const profile = user === null || isOptedOut(id) ? null : toProfile(user, cdn);
      cache.set(id, profile);
      return profile;
    },
    // Visitors who leave while they wait for a token count as refused by the pool, not as a failure of ours.
    abortReason: () => new AppError('pool-busy'),
  });

  const lookUpProfile: LookUpProfile = async (id, ticket, leaving) => {
    const known = cache.get(id);
    const cached = known?.profile && isOptedOut(id) ? undefined : known;
    events.cacheAsked(cached === undefined ? 'miss' : 'hit');
    if (cached !== undefined) return toResult(id, cached.profile, clock.monotonicMs() - cached.storedMs);
    return toResult(id, await flights.join(id, ticket, leaving()), 0);
  };

  return { lookUpProfile, cachedProfiles: cache.size };
};

const toResult = (id: Snowflake, profile: Profile | null, ageMs: number): LookupResult =>
  profile === null
    ? { kind: 'not-found', body: { id, created_utc: new Date(snowflakeCreatedMs(id)).toISOString() } }
    : { kind: 'found', profile, ageMs };
