import type { LocalPlatform } from '#server/platform/platform.ts';
import type { Clock } from '#server/system.ts';
import type { OpenTokenSource } from '../token-source.ts';
import { createTokenRoster, type PooledToken } from './token-roster.ts';

/** The tokens of a process that is alone. */
export const localTokens =
  (clock: Clock, platform: LocalPlatform): OpenTokenSource<PooledToken> =>
  ({ onSuspected, onChange }) => {
    const roster = createTokenRoster();
    return {
      add: (token) => {
        roster.add(token, clock.monotonicMs());
        onChange();
      },
      remove: async (botId, token) => roster.remove(botId, token),
      take: () => platform.passFor('getUser', roster.take),
      settle: (entry, answer, sentMs) => {
        if (answer !== null) entry.requests += 1;
        const isSuspect = roster.settle(entry, answer, { sentMs, receivedMs: clock.monotonicMs() });
        if (isSuspect) onSuspected(answer?.kind === 'foreign' ? 'foreign' : 'unauthorized');
        onChange();
      },
      takeSuspect: () => platform.passFor('getOwnUser', roster.takeSuspect),
      settleSuspect: async (entry, verdict) => {
        const isGone = roster.settleSuspect(entry, verdict, clock.monotonicMs());
        onChange();
        return isGone;
      },
      freeAtMs: roster.freeAtMs,
      suspectAtMs: roster.suspectAtMs,
      size: roster.size,
      isAllSuspect: roster.isAllSuspect,
      counts: roster.counts,
      uses: () => new Map([...roster.entries()].map(({ token, requests }) => [token.botId, requests])),
    };
  };
