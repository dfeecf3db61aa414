import { TURN_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { Platform } from '#server/platform/platform.ts';
import { addInvalid, invalidFreeAt, TOKEN_CHECK_LIMIT, type InvalidCell } from '#server/platform/standing.ts';
import type { Clock } from '#server/system.ts';

export type TokenVerdict =
  | { readonly kind: 'good' | 'rejected' | 'not-a-bot' | 'in-servers' }
  | { readonly kind: 'unclear'; readonly retryAfterMs: number };

export type CheckToken = (token: BotToken) => Promise<TokenVerdict>;

/** In ten minutes; far below what would stop the lookups. */
const MAX_FAILED_CHECKS = 100;
const UNCLEAR_RETRY_MS = 60_000;

const unclear = (retryAfterMs = UNCLEAR_RETRY_MS): TokenVerdict => ({
  kind: 'unclear',
  retryAfterMs: Number.isFinite(retryAfterMs) ? Math.max(1_000, retryAfterMs) : UNCLEAR_RETRY_MS,
});

export const createCheckToken = (clock: Clock, platform: Platform): CheckToken => {
  /** Failed checks alone: junk must not use up what lookups live on. Forgotten with the process. */
  let failedChecks: readonly InvalidCell[] = [];
  let underWay = 0;

  const waitMs = (): number => {
    const nowMs = clock.monotonicMs();
    if (platform.invalidRequests() >= TOKEN_CHECK_LIMIT) return UNCLEAR_RETRY_MS;
    const checksFreeAt = invalidFreeAt(failedChecks, nowMs, {
      limit: MAX_FAILED_CHECKS,
      pending: underWay,
    });
    return Math.max(platform.waitMs('getOwnUser'), checksFreeAt - nowMs);
  };

  const check = async (token: BotToken): Promise<TokenVerdict> => {
    const owner = await (await platform.requestPermit('getOwnUser'))?.send(token);
    if (owner?.kind === 'unauthorized') {
      failedChecks = addInvalid(failedChecks, clock.monotonicMs());
      return { kind: 'rejected' };
    }
    if (owner?.kind !== 'found') return unclear();
    if (!owner.value.bot || owner.value.id !== token.botId) return { kind: 'not-a-bot' };
    const application = await (await platform.requestPermit('getOwnApplication'))?.send(token);
    if (application?.kind !== 'found') return unclear();
    return application.value.guildCount > 0 ? { kind: 'in-servers' } : { kind: 'good' };
  };

  return async (token) => {
    const wait = waitMs();
    if (wait > TURN_MS) return unclear(wait);
    underWay += 1;
    try {
      return await check(token);
    } finally {
      underWay -= 1;
    }
  };
};
