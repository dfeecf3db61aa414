import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import type { Events } from '#server/observability/events.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import type { Clock, System } from '#server/system.ts';
import { addTicket, ticketsOf, type Ticket, type Tickets } from '#server/tokens/fair-order.ts';
import type { CdnUrls } from '#shared/cdn-url.ts';
import type { NotFound, Profile } from '#shared/contract/profile.ts';
import { composeSnowflake, snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { createFetchUser } from './fetch-user.ts';
import type { OptOutStore } from './opt-outs.ts';
import { toProfile } from './to-profile.ts';

export type LookupResult =
  | { readonly kind: 'found'; readonly profile: Profile; readonly ageMs: number }
  | { readonly kind: 'not-found'; readonly body: NotFound };

export type Lookup = ReturnType<typeof createLookup>;

type LookupDeps = {
  readonly system: System;
  readonly pool: TokenPool;
  readonly cdn: CdnUrls;
  /** Answered exactly like an id that nobody has. */
  readonly isOptedOut: (id: Snowflake) => boolean;
  readonly events: Events;
};

export const createLookup = ({ system, pool, cdn, isOptedOut, events }: LookupDeps) => {
  const { clock } = system;
  const cache = createProfileCache(clock);
  const fetchUser = createFetchUser(system, pool, events.leaseEnded);

  const shareFlight = createSingleFlight(async (id, tickets, signal) => {
    const user = await fetchUser(isOptedOut(id) ? drawStandIn(system) : id, tickets, signal);
    if (user !== null) events.userRead(user.unknownFields);
    // Again, because the opt-out may have come while the platform was asked.
    const profile = user === null || isOptedOut(id) ? null : toProfile(user, cdn);
    cache.set(id, profile);
    return profile;
  });

  return {
    lookUpProfile: async (
      id: Snowflake,
      ticket: Ticket,
      leaving: () => AbortSignal,
    ): Promise<LookupResult> => {
      const known = cache.get(id);
      const cached = known?.profile && isOptedOut(id) ? undefined : known;
      events.cacheAsked(cached === undefined ? 'miss' : 'hit');
      if (cached !== undefined) return toResult(id, cached.profile, clock.monotonicMs() - cached.storedMs);
      return toResult(id, await shareFlight(id, ticket, leaving()), 0);
    },
    cachedProfiles: cache.size,
  };
};

const toResult = (id: Snowflake, profile: Profile | null, ageMs: number): LookupResult =>
  profile === null
    ? { kind: 'not-found', body: { id, created_utc: new Date(snowflakeCreatedMs(id)).toISOString() } }
    : { kind: 'found', profile, ageMs };

export const createOptOuts = (store: OptOutStore, digest: (id: string) => string) => {
  let digests: ReadonlySet<string> = new Set();
  return {
    has: (id: Snowflake): boolean => digests.size > 0 && digests.has(digest(id)),
    refresh: async (): Promise<void> => {
      digests = new Set((await store.all()).map((row) => row.digest));
    },
  };
};

const FROM_MS = Date.UTC(2016);
const IDS_PER_MS = 2 ** 22;

/** Asked about in place of an opt-out: the wait, a refusal and a failure are real, and give nothing away. */
const drawStandIn = ({ clock, random }: System): Snowflake => {
  const spanMs = Math.max(1, Math.floor(clock.wallMs()) - FROM_MS);
  return composeSnowflake(FROM_MS + random.integer(spanMs), random.integer(IDS_PER_MS));
};

type CachedProfile = { readonly profile: Profile | null; readonly storedMs: number };

const SWEEP_MS = 1_000;
/** With the sweep none is kept for longer than ten minutes. */
const FOUND_MS = 600_000 - SWEEP_MS;
const NOT_FOUND_MS = 60_000;

export const createProfileCache = (clock: Clock, max = 10_000) => {
  // A 0 would mean that nobody knows when.
  const perf = { now: () => clock.monotonicMs() + 1 };
  const size = { maxSize: max, sizeCalculation: () => 1 };
  const entries = new LRUCache<Snowflake, CachedProfile>({ ...size, perf, ttl: FOUND_MS, ttlResolution: 0 });
  const sweep = (): void => {
    entries.purgeStale();
    if (entries.size > 0) clock.after(SWEEP_MS, sweep);
  };
  return {
    get: (id: Snowflake): CachedProfile | undefined => entries.get(id),
    set: (id: Snowflake, profile: Profile | null): void => {
      if (entries.size === 0) clock.after(SWEEP_MS, sweep);
      const ttl = profile === null ? NOT_FOUND_MS : FOUND_MS;
      entries.set(id, { profile, storedMs: clock.monotonicMs() }, { ttl });
    },
    size: () => entries.size,
  };
};

type Answer = Promise<Profile | null>;

type Flight = {
  readonly answer: Answer;
  readonly controller: AbortController;
  readonly tickets: Tickets;
  callers: number;
};

/** Visitors who leave while they wait for a token count as refused by the pool, not as a failure of ours. */
const abortReason = (): AppError => new AppError('pool-busy');

export const createSingleFlight = (run: (id: Snowflake, tickets: Tickets, signal: AbortSignal) => Answer) => {
  const flights = new Map<Snowflake, Flight>();

  const start = (id: Snowflake, ticket: Ticket): Flight => {
    const controller = new AbortController();
    const tickets = ticketsOf(ticket);
    const answer = run(id, tickets, controller.signal).finally(() => flights.delete(id));
    // Every caller may have left by the time it fails.
    answer.catch(() => {});
    const flight: Flight = { answer, controller, tickets, callers: 0 };
    flights.set(id, flight);
    return flight;
  };

  const join = async (id: Snowflake, ticket: Ticket, leaving: AbortSignal): Answer => {
    // An aborted signal fires no more events.
    if (leaving.aborted) throw abortReason();
    const existing = flights.get(id);
    const flight = existing ?? start(id, ticket);
    // The last caller has left: the answer is shared if there will be one, and otherwise asked for again.
    if (flight.controller.signal.aborted) return flight.answer.catch(() => join(id, ticket, leaving));
    flight.callers += 1;
    if (existing !== undefined) addTicket(flight.tickets, ticket);
    const leave = (): void => {
      flight.callers -= 1;
      if (flight.callers === 0) flight.controller.abort(abortReason());
    };
    leaving.addEventListener('abort', leave, { once: true });
    return flight.answer;
  };
  return join;
};
