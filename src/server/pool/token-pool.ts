import { AppError } from '#server/app-error.ts';
import { QUEUE_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { Tickets } from './ticket.ts';
import { createLeaseQueue } from './lease-queue.ts';
import { createTakeLease, type Lease, type LeasesDeps } from './leases.ts';
import { createPoolMembers } from './pool-members.ts';
import { createScarcity } from './scarcity.ts';
import type { TokenState } from './rules/token-record.ts';
import { createSuspectChecker } from './suspect-checker.ts';
import { createTokenLedger } from './token-ledger.ts';
import type { OpenTokenStore, TokenCounts } from './token-store/token-store.ts';

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
  readonly lease: (tickets?: Tickets, signal?: AbortSignal) => Promise<Lease>;
  /** How scarce tokens have been of late, 0..1. */
  readonly scarcity: () => number;
  readonly counts: () => TokenPoolCounts;
  readonly list: () => Promise<readonly PoolToken[]>;
  /** Tells from now on of every token that the platform no longer accepts. */
  readonly onRetired: (listener: RetirementListener) => void;
};

/** The token of a bot. */
export type PoolToken = {
  readonly botId: string;
  /** Requests made with it since it was added. */
  readonly requests: number;
  readonly state: TokenState['state'];
  /** A suspect, as far as is known. */
  readonly since: string | null;
  /** Cooling. */
  readonly until: string | null;
};

export type TokenPoolCounts = TokenCounts & { readonly waiting: number; readonly inFlight: number };

export type RetirementListener = (token: BotToken) => void;

export type TokenPoolDeps = Pick<LeasesDeps, 'clock' | 'platform' | 'inBackground' | 'onSuspected'> & {
  readonly openStore: OpenTokenStore;
  /** The name of a token in the store: the same on all nodes, and of no use to anybody else. */
  readonly idOf: (token: BotToken) => string;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
};

/** Without any token only the operator or a donor can help, and neither acts within seconds. */
const EMPTY_RETRY_MS = 60_000;
const MIN_RETRY_MS = 1_000;

export const createTokenPool = (deps: TokenPoolDeps): TokenPool => {
  const { clock, platform, openStore, idOf, inBackground, onSuspected } = deps;
  const { maxWaiting = 200, maxWaitMs = QUEUE_MS } = deps;
  let reportRetired: RetirementListener = () => {};

  const onChange = (): void => {
    wakeChecker();
    queue.serve();
  };
  const store = openStore(onChange);
  const ledger = createTokenLedger(store);
  const members = createPoolMembers({ store, idOf, inBackground });
  const wakeChecker = createSuspectChecker({
    clock,
    platform,
    store,
    judge: ledger.judge,
    tokenOf: (id) => members.byId(id)?.token,
    onGone: (token) => {
      inBackground(() => members.remove(token.botId, token));
      reportRetired(token);
    },
    inBackground,
  });

  const take = createTakeLease({
    clock,
    platform,
    ledger,
    memberOf: members.byId,
    inBackground,
    onSuspected,
    onSettled: onChange,
  });

  /** When the first of the queue might be served; Infinity while that depends on an answer. */
  const nextChanceMs = (nowMs: number): number => {
    const permitAtMs = platform.freeAtMs('getUser', nowMs);
    if (permitAtMs > nowMs) return permitAtMs;
    const tokenAtMs = store.freeAtMs();
    const { tokens, suspects } = store.size();
    // An answer will free a token sooner than a suspect can be checked.
    if (tokenAtMs === Infinity && suspects < tokens) return Infinity;
    return Math.min(tokenAtMs, Math.max(store.suspectAtMs(), platform.freeAtMs('getOwnUser', nowMs)));
  };

  const refusal = (): AppError => {
    const { tokens, suspects } = store.size();
    if (tokens === 0) return new AppError('pool-empty', { retryAfterMs: EMPTY_RETRY_MS });
    const nowMs = clock.monotonicMs();
    const chanceMs = nextChanceMs(nowMs);
    const waitMs = chanceMs === Infinity ? maxWaitMs : chanceMs - nowMs;
    const shortage = suspects >= tokens ? 'pool-empty' : 'pool-busy';
    // In the long run a token serves about one request a second.
    const queueMs = (queue.size() * 1_000) / tokens;
    return new AppError(platform.pause(nowMs) !== null ? 'platform-paused' : shortage, {
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
    isEmpty: () => store.size().tokens === 0,
    refusal,
  });

  return {
    add: members.add,
    remove: members.remove,
    lease: queue.join,
    scarcity: createScarcity(clock, queue.shortage),
    counts: () => ({ ...store.counts(), waiting: queue.size(), inFlight: platform.inFlight() }),
    list: async () => {
      const states = await store.states();
      const iso = (atMs: number | null): string | null =>
        atMs === null ? null : new Date(clock.wallMs() + atMs - store.nowMs()).toISOString();
      return members.all().flatMap(({ id, token: { botId }, requests }) => {
        const found = states.get(id);
        // Another process has taken it out.
        if (found === undefined) return [];
        const { state } = found;
        const since = state === 'suspect' ? iso(found.sinceMs) : null;
        return [{ botId, requests, state, since, until: state === 'cooling' ? iso(found.untilMs) : null }];
      });
    },
    onRetired: (listener) => {
      reportRetired = listener;
    },
  };
};
