import { callOutcome } from '#server/platform/call-outcome.ts';
import type { DiscordClient } from '#server/platform/discord-client.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { Clock } from '#server/system.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { EgressGate } from '#server/platform/egress-gate.ts';
import {
  createInvalidRequestGovernor,
  type InvalidRequestGovernor,
} from '#server/platform/invalid-request-governor.ts';

/** What the platform says of a token that somebody offers. */
export type TokenVerdict =
  | { readonly kind: 'good' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'not-a-bot' }
  | { readonly kind: 'in-servers' }
  /** No verdict was to be had, or it would have cost too much to ask. */
  | { readonly kind: 'unclear'; readonly retryAfterMs: number };

export type CheckToken = (token: BotToken) => Promise<TokenVerdict>;

export type CheckTokenDeps = {
  readonly clock: Clock;
  readonly client: DiscordClient;
  readonly gate: EgressGate;
  /** Invalid answers of all kinds; checks stop while lookups still may go on. */
  readonly governor: InvalidRequestGovernor;
};

/** Half of what stops the lookups. */
export const GOVERNOR_SOFT_LIMIT = 250;
/** In ten minutes; far below what would stop the lookups. */
const MAX_FAILED_CHECKS = 100;
const UNCLEAR_RETRY_MS = 60_000;

const unclear = (retryAfterMs = UNCLEAR_RETRY_MS): TokenVerdict => ({
  kind: 'unclear',
  retryAfterMs: Number.isFinite(retryAfterMs) ? Math.max(1_000, retryAfterMs) : UNCLEAR_RETRY_MS,
});

/** Two questions, the same for every token: who are you, and in how many servers is your application? */
export const createCheckToken = (deps: CheckTokenDeps): CheckToken => {
  const { clock, client, gate, governor } = deps;
  /** Failed checks alone: junk must not use up what lookups live on. Forgotten with the process. */
  const failedChecks = createInvalidRequestGovernor({
    clock,
    journal: { load: () => [], save: () => {} },
    hardLimit: MAX_FAILED_CHECKS,
  });
  let underWay = 0;

  const waitMs = (): number => {
    const nowMs = clock.monotonicMs();
    if (governor.count() >= GOVERNOR_SOFT_LIMIT) return UNCLEAR_RETRY_MS;
    return Math.max(gate.freeAtMs(nowMs), failedChecks.freeAtMs(nowMs, underWay)) - nowMs;
  };

  const ask = async <T>(question: () => Promise<PlatformAnswer<T>>): Promise<PlatformAnswer<T>> => {
    gate.sent(clock.monotonicMs());
    const answer = await question();
    gate.settled(callOutcome(answer), clock.monotonicMs());
    return answer;
  };

  const check = async ({ botId, secret }: BotToken): Promise<TokenVerdict> => {
    const owner = await ask(() => client.getOwnUser(secret.reveal()));
    if (owner.kind === 'unauthorized') {
      failedChecks.record();
      return { kind: 'rejected' };
    }
    if (owner.kind !== 'found') return unclear();
    if (!owner.value.bot || owner.value.id !== botId) return { kind: 'not-a-bot' };
    const application = await ask(() => client.getOwnApplication(secret.reveal()));
    if (application.kind !== 'found') return unclear();
    return application.value.guildCount > 0 ? { kind: 'in-servers' } : { kind: 'good' };
  };

  return async (token) => {
    const wait = waitMs();
    if (wait > 0) return unclear(wait);
    underWay += 1;
    try {
      return await check(token);
    } finally {
      underWay -= 1;
    }
  };
};
