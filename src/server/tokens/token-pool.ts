import { AppError } from '#server/app-error.ts';
import { QUEUE_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Clock } from '#server/system.ts';
import { createLeaseQueue, createScarcity } from './lease-queue.ts';
import { createLeases, type Lease, type PoolMember } from './leases.ts';
import { createSuspects } from './suspects.ts';
import type { SuspectedBecause, TokenState } from './token-rules.ts';
import type { TokenStore, Wait } from './token-store.ts';

export type TokenPool = ReturnType<typeof createTokenPool>;

export type TokenPoolDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: TokenStore;
  /** The name of a token in the store: the same on all servers, and of no use to anybody else. */
  readonly idOf: (token: BotToken) => string;
  readonly onSuspected: (because: SuspectedBecause, token: BotToken) => void;
  readonly onRetired: (token: BotToken) => void;
  readonly onFailure: (error: unknown) => void;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
};

export type PoolToken = {
  readonly botId: string;
  readonly requests: number;
  readonly state: TokenState['state'];
  readonly since: string | null;
  readonly until: string | null;
};

const EMPTY_RETRY_MS = 60_000;
const MIN_RETRY_MS = 1_000;

export const createTokenPool = (deps: TokenPoolDeps) => {
  const { clock, platform, store, idOf, onSuspected, onRetired, onFailure } = deps;
  const { maxWaiting = 200, maxWaitMs = QUEUE_MS } = deps;
  const byBot = new Map<string, PoolMember>();
  const byId = new Map<string, PoolMember>();

  const drop = (member: PoolMember): void => {
    byId.delete(member.id);
    byBot.delete(member.token.botId);
  };
  const suspects = createSuspects({
    clock,
    platform,
    store,
    tokenOf: (id) => byId.get(id)?.token,
    onRetired: (token) => {
      const member = byId.get(idOf(token));
      if (member !== undefined) drop(member);
      onRetired(token);
    },
    onFailure,
  });

  const leases = createLeases({
    clock,
    platform,
    store,
    memberOf: (id) => byId.get(id),
    onSuspected,
    onRecorded: () => serve(),
    onFailure,
  });

  const nextChance = (): Wait => {
    const permitMs = platform.waitMs('getUser');
    if (permitMs > 0) return { waitMs: permitMs, mayBeSooner: permitMs === Infinity };
    const { waitMs, mayBeSooner } = store.tokenWait();
    // An answer will free a token sooner than a suspect can be checked.
    if (mayBeSooner) return { waitMs, mayBeSooner };
    const checkMs = suspects.waitMs();
    const isChecking = checkMs === Infinity && store.size().suspects > 0;
    return { waitMs: Math.min(waitMs, checkMs), mayBeSooner: isChecking };
  };

  const refusal = (): AppError => {
    const { tokens, suspects: suspected } = store.size();
    if (tokens === 0) return new AppError('pool-empty', { retryAfterMs: EMPTY_RETRY_MS });
    const { waitMs } = nextChance();
    const shortage = suspected >= tokens ? 'pool-empty' : 'pool-busy';
    // In the long run a token serves about one request a second.
    const queueMs = (queue.size() * 1_000) / tokens;
    return new AppError(platform.pause() === null ? shortage : 'platform-paused', {
      retryAfterMs: Math.max(MIN_RETRY_MS, waitMs === Infinity ? maxWaitMs : waitMs, queueMs),
    });
  };

  const queue = createLeaseQueue<Lease>({
    clock,
    maxWaiting,
    maxWaitMs,
    take: leases.take,
    release: (lease) => lease.release(),
    nextChance,
    isEmpty: () => store.size().tokens === 0,
    refusal,
  });
  const serve = (): void => {
    suspects.wake();
    queue.serve();
  };
  store.onChange(serve);

  /** The name of what has left. With `token`, only that one of the bot. */
  const leave = (botId: string, token?: BotToken): string | undefined => {
    const member = byBot.get(botId);
    const id = token === undefined ? member?.id : idOf(token);
    if (member !== undefined && member.id === id) drop(member);
    return id;
  };

  return {
    add: (token: BotToken): void => {
      const before = byBot.get(token.botId);
      const member: PoolMember = { id: idOf(token), token, requests: 0 };
      if (before !== undefined && before.id !== member.id) {
        drop(before);
        store.remove(before.id).catch(onFailure);
      }
      byBot.set(token.botId, member);
      byId.set(member.id, member);
      store.add(member.id);
    },
    remove: async (botId: string, token?: BotToken): Promise<void> => {
      const id = leave(botId, token);
      if (id !== undefined) await store.remove(id);
    },
    lease: queue.join,
    nextChance,
    scarcity: createScarcity(clock, queue.shortage),
    counts: () => ({ ...store.counts(), waiting: queue.size(), inFlight: platform.inFlight() }),
    list: async (): Promise<readonly PoolToken[]> => {
      const states = await store.states();
      const aheadMs = clock.wallMs() - store.nowMs();
      // Another process may have taken one out.
      return [...byBot.values()].flatMap((member) => describe(member, states.get(member.id), aheadMs) ?? []);
    },
  };
};

const describe = (
  { token: { botId }, requests }: PoolMember,
  found: TokenState | undefined,
  aheadMs: number,
): PoolToken | undefined => {
  const iso = (atMs: number | null): string | null =>
    atMs === null ? null : new Date(atMs + aheadMs).toISOString();
  return (
    found && {
      botId,
      requests,
      state: found.state,
      since: iso(found.sinceMs),
      until: iso(found.untilMs),
    }
  );
};
