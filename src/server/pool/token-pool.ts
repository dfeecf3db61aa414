import { AppError } from '#server/app-error.ts';
import { QUEUE_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { LocalPlatform, PassFor, Platform } from '#server/platform/platform.ts';
import type { Clock } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createInquiry } from './inquiry.ts';
import { createLeaseQueue } from './lease-queue.ts';
import { localTokens } from './roster/local-tokens.ts';
import type { PooledToken } from './roster/token-roster.ts';
import type { OpenTokenSource, TokenCounts, TokenSource, TokenSourceEvents } from './token-source.ts';

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
  /**
   * Takes a bot's token out: once it resolves, no request leaves with it any more. With `token` nothing but this very
   * token, also if only another process has added it so far.
   */
  readonly remove: (botId: string, token?: BotToken) => Promise<void>;
  /** Rejects with `pool-empty`, `pool-busy` or `platform-paused`, each saying when to come back. */
  readonly lease: (signal?: AbortSignal) => Promise<Lease>;
  readonly counts: () => TokenPoolCounts;
  /** How many requests were made with the token of each bot since it was added. */
  readonly uses: () => ReadonlyMap<string, number>;
  /** Tells from now on of every token that the platform no longer accepts. */
  readonly onRetired: (listener: RetirementListener) => void;
};

export type TokenPoolCounts = TokenCounts & { readonly waiting: number; readonly inFlight: number };

export type RetirementListener = (token: BotToken) => void;

export type TokenPoolDeps<T extends { readonly token: BotToken }> = {
  readonly clock: Clock;
  readonly platform: Platform;
  /** Where the tokens are. */
  readonly open: OpenTokenSource<T>;
  readonly onSuspected?: TokenSourceEvents['onSuspected'];
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
};

/** Without any token only the operator or a donor can help, and neither acts within seconds. */
const EMPTY_RETRY_MS = 60_000;
const MIN_RETRY_MS = 1_000;

/** The pool of a process that is alone. */
export const createTokenPool = (
  deps: Omit<TokenPoolDeps<PooledToken>, 'open'> & { readonly platform: LocalPlatform },
): TokenPool => createTokenPoolOf({ ...deps, open: localTokens(deps.clock, deps.platform) });

export const createTokenPoolOf = <T extends { readonly token: BotToken }>(
  deps: TokenPoolDeps<T>,
): TokenPool => {
  const { clock, platform, open, onSuspected = () => {}, maxWaiting = 200, maxWaitMs = QUEUE_MS } = deps;
  let tellRetired: RetirementListener = () => {};

  const onChange = (): void => {
    wakeInquiry();
    queue.serve();
  };
  const source: TokenSource<T> = open({ onSuspected, onChange });

  const wakeInquiry = createInquiry({ clock, platform, source, onGone: (token) => tellRetired(token) });

  const createLease = ({ pass, chosen }: PassFor<'getUser', T>): Lease => {
    const sentMs = clock.monotonicMs();
    return {
      getUser: async (id, patienceMs) => {
        let answer: PlatformAnswer<DiscordUser> | null = null;
        try {
          answer = await pass.ask(id, chosen.token, patienceMs);
          return answer;
        } finally {
          source.settle(chosen, answer, sentMs);
        }
      },
      release: () => {
        pass.release();
        source.settle(chosen, null, sentMs);
      },
    };
  };

  /** The one place where a pass and a token come together. */
  const take = async (): Promise<Lease | null> => {
    const granted = await source.take();
    return granted && createLease(granted);
  };

  /** When the head of the queue might be served; Infinity while that hangs on an answer. */
  const nextChanceMs = (nowMs: number): number => {
    const freeAtMs = platform.freeAtMs('getUser', nowMs);
    return freeAtMs > nowMs ? freeAtMs : source.freeAtMs(nowMs);
  };

  const refusal = (): AppError => {
    if (source.size() === 0) return new AppError('pool-empty', { retryAfterMs: EMPTY_RETRY_MS });
    const nowMs = clock.monotonicMs();
    const chanceMs = nextChanceMs(nowMs);
    const waitMs = chanceMs === Infinity ? maxWaitMs : chanceMs - nowMs;
    const shortage = source.isAllSuspect() ? 'pool-empty' : 'pool-busy';
    // In the long run a token serves about one request a second.
    const queueMs = (queue.size() * 1_000) / source.size();
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
    isEmpty: () => source.size() === 0,
    refusal,
  });

  return {
    add: source.add,
    remove: source.remove,
    lease: queue.join,
    counts: () => ({
      ...source.counts(clock.monotonicMs()),
      waiting: queue.size(),
      inFlight: platform.inFlight(),
    }),
    uses: source.uses,
    onRetired: (listener) => {
      tellRetired = listener;
    },
  };
};
