import { AppError } from '#server/app-error.ts';
import { QUEUE_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import { createLeaseQueue, createScarcity } from './lease-queue.ts';
import { createLeases, type Lease, type PoolMember, type PoolParts } from './leases.ts';
import { createSuspects } from './suspects.ts';
import type { SuspectedBecause, TokenState } from './token-rules.ts';
import type { Wait } from './token-store.ts';

export type TokenPool = ReturnType<typeof createTokenPool>;

export type TokenPoolDeps = Omit<PoolParts, 'memberOf' | 'ownIds' | 'lentWaitMs'> & {
  /** The name of a token in the store: the same on all servers, and of no use to anybody else. */
  readonly idOf: (token: BotToken) => string;
  readonly onSuspected: (because: SuspectedBecause, token: BotToken) => void;
  readonly onRetired: (token: BotToken) => void;
};

export type PoolToken = {
  readonly botId: string;
  readonly requests: number;
  readonly state: TokenState['state'];
  readonly since: string | null;
  readonly until: string | null;
  /** In a row, invalid answers that are held against it. */
  readonly invalid: number;
};

const EMPTY_RETRY_MS = 60_000;
const MIN_RETRY_MS = 1_000;

export const createTokenPool = (deps: TokenPoolDeps) => {
  const { clock, platform, store, idOf, onSuspected, onRetired, onFailure } = deps;
  const byBot = new Map<string, PoolMember>();
  const byId = new Map<string, PoolMember>();

  const drop = ({ id, token }: PoolMember): void => {
    byId.delete(id);
    byBot.delete(token.botId);
  };
  const ownIds = (): readonly string[] => [...byId.values()].flatMap(({ id, isOwn }) => (isOwn ? [id] : []));
  const parts: PoolParts = {
    ...deps,
    memberOf: (id) => byId.get(id),
    ownIds,
    // Lent tokens leave half of the invalid requests to the operator's.
    lentWaitMs: () => (byId.values().some(({ isOwn }) => isOwn) ? platform.halfWaitMs() : 0),
  };
  const suspects = createSuspects(parts, (token) => {
    const member = byId.get(idOf(token));
    if (member !== undefined) drop(member);
    onRetired(token);
  });
  const leases = createLeases({ ...parts, onSuspected, onRecorded: () => serve() });

  const nextChance = (): Wait => {
    const { tokens, suspects: suspected } = store.size();
    if (tokens === 0) return { waitMs: Infinity, mayBeSooner: false };
    const permitMs = platform.waitMs('getUser');
    if (permitMs > 0) return { waitMs: permitMs, mayBeSooner: permitMs === Infinity };
    const { waitMs, mayBeSooner } = store.tokenWait();
    // An answer will free a token sooner than a suspect can be checked.
    if (mayBeSooner) return { waitMs, mayBeSooner };
    const checkMs = suspects.waitMs();
    return { waitMs: Math.min(waitMs, checkMs), mayBeSooner: checkMs === Infinity && suspected > 0 };
  };

  const refusal = (): AppError => {
    const { tokens, suspects: suspected } = store.size();
    if (tokens === 0) return new AppError('pool-empty', { retryAfterMs: EMPTY_RETRY_MS });
    const { waitMs } = nextChance();
    const shortage = suspected >= tokens ? 'pool-empty' : 'pool-busy';
    // In the long run a token serves about one request a second.
    const queueMs = (queue.size() * 1_000) / tokens;
    return new AppError(platform.pause() === null ? shortage : 'platform-paused', {
      retryAfterMs: Math.max(MIN_RETRY_MS, waitMs === Infinity ? QUEUE_MS : waitMs, queueMs),
    });
  };

  const queue = createLeaseQueue<Lease>({ clock, take: leases.take, nextChance, refusal });
  const serve = (): void => {
    if (store.size().suspects > 0) suspects.wake();
    queue.serve();
  };
  store.onChange(serve);

  return {
    add: (token: BotToken, isOwn = false): void => {
      const before = byBot.get(token.botId);
      const member: PoolMember = { id: idOf(token), token, isOwn, requests: 0 };
      if (before !== undefined && before.id !== member.id) {
        drop(before);
        store.remove(before.id).catch(onFailure);
      }
      byBot.set(token.botId, member);
      byId.set(member.id, member);
      store.add(member.id);
    },
    /** With `token`, only that one of the bot, which another process may have put in. */
    remove: async (botId: string, token?: BotToken): Promise<void> => {
      const member = byBot.get(botId);
      const id = token === undefined ? member?.id : idOf(token);
      if (member !== undefined && member.id === id) drop(member);
      if (id !== undefined) await store.remove(id);
    },
    lease: queue.join,
    nextChance,
    scarcity: createScarcity(clock, queue.shortage),
    counts: () => ({ ...store.counts(), waiting: queue.size(), inFlight: platform.inFlight() }),
    list: async (): Promise<readonly PoolToken[]> => {
      const states = await store.states();
      const aheadMs = clock.wallMs() - store.nowMs();
      const iso = (atMs: number | null): string | null =>
        atMs === null ? null : new Date(atMs + aheadMs).toISOString();
      return [...byBot.values()].flatMap(({ id, token: { botId }, requests }) => {
        const found = states.get(id);
        // Another process may have taken it out.
        if (found === undefined) return [];
        const { state, sinceMs, untilMs, invalid } = found;
        return { botId, requests, state, since: iso(sinceMs), until: iso(untilMs), invalid };
      });
    },
  };
};

export type OwnTokens = ReturnType<typeof createOwnTokens>;

/** The operator's, from the settings. */
export const createOwnTokens = (pool: Pick<TokenPool, 'add'>, tokens: readonly BotToken[]) => {
  const own = new Map(tokens.map((token) => [token.botId, token]));
  for (const token of own.values()) pool.add(token, true);

  return {
    all: (): readonly BotToken[] => [...own.values()],
    /** Another token of the bot had replaced the operator's own, and is gone. */
    restore: (botId: string): void => {
      const token = own.get(botId);
      if (token !== undefined) pool.add(token, true);
    },
  };
};
