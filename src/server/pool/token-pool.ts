import { AppError } from '#server/app-error.ts';
import type { Clock } from '#server/system.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { EgressGate } from '#server/platform/egress-gate.ts';
import type { LeaseOutcome } from './lease-outcome.ts';
import { createLeaseQueue } from './lease-queue.ts';
import type { Secret } from '#server/platform/secret.ts';
import { createTokenRoster, type RosterCounts } from './token-roster.ts';

/** The right to make one request with one token. It must be reported exactly once, whatever happens. */
export type Lease = {
  readonly secret: Secret;
  readonly report: (outcome: LeaseOutcome) => void;
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
  /** What a request that comes now would be refused with at once; undefined if it would at least wait. */
  readonly refusesNow: () => AppError | undefined;
  readonly counts: () => TokenPoolCounts;
};

export type TokenPoolCounts = RosterCounts & { readonly waiting: number; readonly inFlight: number };

export type TokenPoolDeps = {
  readonly clock: Clock;
  readonly gate: EgressGate;
  readonly onRetired: (reason: 'unauthorized' | 'foreign', botId: string) => void;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
};

/** Without any token only the operator or a donor can help, and neither acts within seconds. */
const EMPTY_RETRY_MS = 60_000;
const MIN_RETRY_MS = 1_000;

export const createTokenPool = (deps: TokenPoolDeps): TokenPool => {
  const { clock, gate, onRetired, maxWaiting = 200, maxWaitMs = 5_000 } = deps;
  const roster = createTokenRoster();

  const tryLease = (): Lease | undefined => {
    const sentMs = clock.monotonicMs();
    if (gate.freeAtMs(sentMs) > sentMs) return undefined;
    const entry = roster.take(sentMs);
    if (entry === undefined) return undefined;
    gate.sent(sentMs);
    const report = (outcome: LeaseOutcome): void => {
      const receivedMs = clock.monotonicMs();
      gate.settled(outcome, receivedMs);
      const retired = roster.settle(entry, outcome, { sentMs, receivedMs });
      if (retired) onRetired(outcome.kind === 'foreign' ? 'foreign' : 'unauthorized', entry.token.botId);
      queue.serve();
    };
    return { secret: entry.token.secret, report };
  };

  /** When the head of the queue might be served; Infinity while that hangs on an answer. */
  const nextChanceMs = (nowMs: number): number => {
    const gateMs = gate.freeAtMs(nowMs);
    return gateMs > nowMs ? Math.max(gateMs, nowMs) : roster.freeAtMs();
  };

  const refusal = (): AppError => {
    if (roster.size() === 0) return new AppError('pool-empty', { retryAfterMs: EMPTY_RETRY_MS });
    const nowMs = clock.monotonicMs();
    const chanceMs = nextChanceMs(nowMs);
    const waitMs = chanceMs === Infinity ? maxWaitMs : chanceMs - nowMs;
    const shortage = roster.isDoubtful() ? 'pool-empty' : 'pool-busy';
    // In the long run a token serves about one request a second.
    const queueMs = (queue.size() * 1_000) / roster.size();
    return new AppError(gate.isPaused(nowMs) ? 'platform-paused' : shortage, {
      retryAfterMs: Math.max(MIN_RETRY_MS, waitMs, queueMs),
    });
  };

  const queue = createLeaseQueue<Lease>({
    clock,
    maxWaiting,
    maxWaitMs,
    take: tryLease,
    nextChanceMs,
    isHopeless: () => roster.size() === 0,
    refusal,
  });

  return {
    add: (token) => {
      roster.add(token, clock.monotonicMs());
      queue.serve();
    },
    remove: (botId) => roster.remove(botId, clock.monotonicMs()),
    lease: queue.join,
    refusesNow: () =>
      roster.size() === 0 || gate.isPaused(clock.monotonicMs()) || queue.size() >= maxWaiting
        ? refusal()
        : undefined,
    counts: () => ({
      ...roster.counts(clock.monotonicMs()),
      waiting: queue.size(),
      inFlight: gate.inFlight(),
    }),
  };
};
