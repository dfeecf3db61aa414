import { AppError } from '#server/app-error.ts';
import { LOOKUP_MS, SHORTEST_CALL_MS } from '#server/deadlines.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import type { Events } from '#server/observability/events.ts';
import { sleep, type System } from '#server/system.ts';
import type { Tickets } from '#server/tokens/fair-order.ts';
import type { Lease } from '#server/tokens/leases.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import type { Snowflake } from '#shared/snowflake.ts';

const MAX_TOKENS = 3;
const RETRY_JITTER_MS = 200;
const TOKEN_TROUBLE_RETRY_MS = 5_000;
const BLOCK_RETRY_MS = 600_000;

const busy = (retryAfterMs = TOKEN_TROUBLE_RETRY_MS): AppError => new AppError('pool-busy', { retryAfterMs });

type Step =
  | { readonly next: 'done'; readonly user: DiscordUser | null }
  | { readonly next: 'other-token' | 'later' | 'give-up'; readonly error: AppError };

export const createFetchUser = (system: System, pool: TokenPool, onLeaseEnded: Events['leaseEnded']) => {
  const { clock, random } = system;

  const leaseToken = async (tickets: Tickets, signal: AbortSignal, deadlineMs: number): Promise<Lease> => {
    const askedMs = clock.monotonicMs();
    const ended = (outcome: Parameters<typeof onLeaseEnded>[0]): void =>
      onLeaseEnded(outcome, clock.monotonicMs() - askedMs);
    try {
      const lease = await pool.lease(tickets, signal, deadlineMs);
      ended('granted');
      return lease;
    } catch (refusal) {
      ended(refusal instanceof AppError && !signal.aborted ? refusal.code : 'aborted');
      throw refusal;
    }
  };

  /** The signal ends the wait for a token, not a request that has been sent. */
  return async (id: Snowflake, tickets: Tickets, signal: AbortSignal): Promise<DiscordUser | null> => {
    const deadlineMs = clock.monotonicMs() + LOOKUP_MS;
    let retried = false;
    let error: AppError | null = null;
    for (let tokens = 1; ; tokens += 1) {
      const leaseByMs = deadlineMs - SHORTEST_CALL_MS;
      if (clock.monotonicMs() >= leaseByMs) throw error ?? busy();
      const lease = await leaseToken(tickets, signal, leaseByMs);
      const step = toStep(await lease.getUser(id, deadlineMs));
      if (step.next === 'done') return step.user;
      ({ error } = step);
      if (step.next === 'give-up' || tokens === MAX_TOKENS) throw error;
      if (step.next === 'later') {
        if (retried) throw error;
        retried = true;
        await sleep(clock, random.integer(RETRY_JITTER_MS));
      }
      signal.throwIfAborted();
    }
  };
};

const toStep = (answer: PlatformAnswer<DiscordUser>): Step => {
  switch (answer.kind) {
    case 'found':
      return { next: 'done', user: answer.value };
    case 'not-found':
      return { next: 'done', user: null };
    case 'rate-limited':
      return { next: 'other-token', error: busy(answer.retryAfterMs) };
    case 'unauthorized':
    case 'forbidden':
      return { next: 'other-token', error: busy() };
    case 'blocked': {
      const retryAfterMs = answer.retryAfterMs ?? BLOCK_RETRY_MS;
      return { next: 'give-up', error: new AppError('platform-paused', { retryAfterMs }) };
    }
    case 'refused':
    case 'foreign':
      return { next: 'give-up', error: new AppError('platform-failed') };
    case 'failed': {
      const code = answer.reason === 'timeout' ? 'platform-timeout' : 'platform-failed';
      return { next: 'later', error: new AppError(code) };
    }
  }
};
