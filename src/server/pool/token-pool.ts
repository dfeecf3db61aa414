import { AppError } from '#server/app-error.ts';
import { QUEUE_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { PassFor, Platform } from '#server/platform/platform.ts';
import type { Clock } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createInquiry } from './inquiry.ts';
import { createLeaseQueue } from './lease-queue.ts';
import { createTokenRoster, type PooledToken, type RosterCounts } from './token-roster.ts';

/** A pass and the token to use it with: good for one request, which the pool learns from. */
export type Lease = {
  readonly getUser: (id: Snowflake, patienceMs: number) => Promise<PlatformAnswer<DiscordUser>>;
  /** For a request that will not be made after all. */
  readonly release: () => void;
};

/**
 * Lends tokens to requests. Requests wait in one queue and tokens serve it, so that no request is stuck behind a
 * dead or exhausted token while another one is free.
 */
export type TokenPool = {
  /** Adds a token, or replaces the one of the same bot. It is tried before all others. */
  readonly add: (token: BotToken) => void;
  /** Takes a bot's token out: no request is sent with it from now on. */
  readonly remove: (botId: string) => void;
  /** Rejects with `pool-empty`, `pool-busy` or `platform-paused`, each saying when to come back. */
  readonly lease: (signal?: AbortSignal) => Promise<Lease>;
  readonly counts: () => TokenPoolCounts;
  /** How many requests were made with the token of each bot since it was added. */
  readonly uses: () => ReadonlyMap<string, number>;
  /** Tells from now on of every token that the platform no longer accepts. */
  readonly onRetired: (listener: RetirementListener) => void;
};

export type TokenPoolCounts = RosterCounts & { readonly waiting: number; readonly inFlight: number };

export type RetirementListener = (token: BotToken) => void;

export type TokenPoolDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  /** A token is out of use until the platform was asked about it. */
  readonly onSuspected?: (because: 'unauthorized' | 'foreign') => void;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
};

/** Without any token only the operator or a donor can help, and neither acts within seconds. */
const EMPTY_RETRY_MS = 60_000;
const MIN_RETRY_MS = 1_000;

export const createTokenPool = (deps: TokenPoolDeps): TokenPool => {
  const { clock, platform, onSuspected = () => {}, maxWaiting = 200, maxWaitMs = QUEUE_MS } = deps;
  const roster = createTokenRoster();
  let tellRetired: RetirementListener = () => {};

  const settle = (entry: PooledToken, answer: PlatformAnswer<unknown> | null, sentMs: number): void => {
    if (answer !== null) entry.requests += 1;
    const isSuspect = roster.settle(entry, answer, { sentMs, receivedMs: clock.monotonicMs() });
    if (isSuspect) onSuspected(answer?.kind === 'foreign' ? 'foreign' : 'unauthorized');
    wakeInquiry();
    queue.serve();
  };

  const wakeInquiry = createInquiry({
    clock,
    platform,
    roster,
    onSettled: (token, isGone) => {
      if (isGone) tellRetired(token);
      queue.serve();
    },
  });

  const createLease = ({ pass, chosen: entry }: PassFor<'getUser', PooledToken>): Lease => {
    const sentMs = clock.monotonicMs();
    return {
      getUser: async (id, patienceMs) => {
        let answer: PlatformAnswer<DiscordUser> | null = null;
        try {
          answer = await pass.ask(id, entry.token, patienceMs);
          return answer;
        } finally {
          settle(entry, answer, sentMs);
        }
      },
      release: () => {
        pass.release();
        settle(entry, null, sentMs);
      },
    };
  };

  /** The one place where a pass and a token come together. */
  const take = async (): Promise<Lease | null> => {
    const granted = await platform.passFor('getUser', roster.take);
    return granted && createLease(granted);
  };

  /** When the head of the queue might be served; Infinity while that hangs on an answer. */
  const nextChanceMs = (nowMs: number): number => {
    const freeAtMs = platform.freeAtMs('getUser', nowMs);
    return freeAtMs > nowMs ? freeAtMs : roster.freeAtMs();
  };

  const refusal = (): AppError => {
    if (roster.size() === 0) return new AppError('pool-empty', { retryAfterMs: EMPTY_RETRY_MS });
    const nowMs = clock.monotonicMs();
    const chanceMs = nextChanceMs(nowMs);
    const waitMs = chanceMs === Infinity ? maxWaitMs : chanceMs - nowMs;
    const shortage = roster.isAllSuspect() ? 'pool-empty' : 'pool-busy';
    // In the long run a token serves about one request a second.
    const queueMs = (queue.size() * 1_000) / roster.size();
    return new AppError(platform.isPaused(nowMs) ? 'platform-paused' : shortage, {
      retryAfterMs: Math.max(MIN_RETRY_MS, waitMs, queueMs),
    });
  };

  const queue = createLeaseQueue<Lease>({
    clock,
    maxWaiting,
    maxWaitMs,
    take,
    giveBack: (lease) => lease.release(),
    nextChanceMs,
    isEmpty: () => roster.size() === 0,
    refusal,
  });

  return {
    add: (token) => {
      roster.add(token, clock.monotonicMs());
      queue.serve();
    },
    remove: roster.remove,
    lease: queue.join,
    counts: () => ({
      ...roster.counts(clock.monotonicMs()),
      waiting: queue.size(),
      inFlight: platform.inFlight(),
    }),
    uses: () => new Map([...roster.entries()].map(({ token, requests }) => [token.botId, requests])),
    onRetired: (listener) => {
      tellRetired = listener;
    },
  };
};
