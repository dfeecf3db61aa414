import { AppError } from '#server/app-error.ts';
import { QUEUE_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { SuspectedBecause } from '#server/rules/token-rules.ts';
import type { TokenStore, Wait } from '#server/state/token-store.ts';
import type { Clock } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createLeaseQueue, createScarcity } from './lease-queue.ts';
import { createMembers, type MembersDeps, type PoolToken } from './members.ts';
import { createSuspectChecker, createTokenSteps } from './token-steps.ts';

export type Lease = {
  readonly getUser: (id: Snowflake, timeoutMs: number) => Promise<PlatformAnswer<DiscordUser>>;
  readonly release: () => void;
};

export type TokenPool = ReturnType<typeof createTokenPool>;

export type TokenPoolDeps = Pick<MembersDeps, 'idOf'> & {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: TokenStore;
  readonly onSuspected: (because: SuspectedBecause, token: BotToken) => void;
  readonly onRetired: (token: BotToken) => void;
  readonly onFailure: (error: unknown) => void;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
};

const REMOVED: PlatformAnswer<never> = { kind: 'failed', reason: 'network' };
const EMPTY_RETRY_MS = 60_000;
const MIN_RETRY_MS = 1_000;

export const createTokenPool = (deps: TokenPoolDeps) => {
  const { clock, platform, store, onSuspected, onRetired, onFailure } = deps;
  const { maxWaiting = 200, maxWaitMs = QUEUE_MS } = deps;
  const members = createMembers(deps);
  const steps = createTokenSteps({
    store,
    tokenOf: (id) => members.byId(id)?.token,
    onSuspected,
    onGone: (token) => {
      members.forget(token.botId, token);
      onRetired(token);
    },
  });
  const checker = createSuspectChecker({ clock, platform, store, steps: steps.check, onFailure });

  const take = async (): Promise<Lease | null> => {
    const permit = await platform.attempt('getUser', steps.lookup);
    if (permit === null) return null;
    return {
      getUser: async (id, timeoutMs) => {
        const member = members.byId(permit.flight.id);
        if (member === undefined) {
          permit.release();
          return REMOVED;
        }
        member.requests += 1;
        return permit.send(id, member.token, timeoutMs);
      },
      release: permit.release,
    };
  };

  const nextChance = (): Wait => {
    const permitMs = platform.waitMs('getUser');
    if (permitMs > 0) return { waitMs: permitMs, mayBeSooner: permitMs === Infinity };
    const { waitMs, mayBeSooner } = store.tokenWait();
    // An answer will free a token sooner than a suspect can be checked.
    if (mayBeSooner) return { waitMs, mayBeSooner };
    const checkMs = checker.waitMs();
    const isChecking = checkMs === Infinity && store.size().suspects > 0;
    return { waitMs: Math.min(waitMs, checkMs), mayBeSooner: isChecking };
  };

  const refusal = (): AppError => {
    const { tokens, suspects } = store.size();
    if (tokens === 0) return new AppError('pool-empty', { retryAfterMs: EMPTY_RETRY_MS });
    const { waitMs } = nextChance();
    const shortage = suspects >= tokens ? 'pool-empty' : 'pool-busy';
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
    take,
    release: (lease) => lease.release(),
    nextChance,
    isEmpty: () => store.size().tokens === 0,
    refusal,
  });

  return {
    add: members.add,
    remove: members.remove,
    lease: queue.join,
    nextChance,
    scarcity: createScarcity(clock, queue.shortage),
    counts: () => ({
      ...store.counts(),
      waiting: queue.size(),
      inFlight: platform.inFlight(),
    }),
    list: async (): Promise<readonly PoolToken[]> => {
      const states = await store.states();
      const aheadMs = clock.wallMs() - store.nowMs();
      const iso = (atMs: number | null): string | null =>
        atMs === null ? null : new Date(atMs + aheadMs).toISOString();
      return members.all().flatMap(({ id, token: { botId }, requests }) => {
        const found = states.get(id);
        // Another process may have taken it out.
        if (found === undefined) return [];
        const { state, sinceMs, untilMs } = found;
        return [{ botId, requests, state, since: iso(sinceMs), until: iso(untilMs) }];
      });
    },
    serve: (): void => {
      checker.wake();
      queue.serve();
    },
  };
};
