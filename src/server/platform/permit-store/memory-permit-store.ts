import type { Clock } from '#server/system.ts';
import { EGRESS_LATE_MS, egressIntervalMs } from '../egress-rules.ts';
import type { InvalidRequests } from '../invalid-requests.ts';
import type { Question } from '../questions.ts';
import type { PermitStore } from './permit-store.ts';

export type MemoryPermitStoreDeps = {
  readonly clock: Clock;
  readonly invalidRequests: InvalidRequests;
  readonly perSecond: number;
};

type Ban = { readonly untilMs: number; isProbed: boolean };

/** The permits of a process that is alone. */
export const createMemoryPermitStore = (deps: MemoryPermitStoreDeps): PermitStore => {
  const { clock, invalidRequests, perSecond } = deps;
  const intervalMs = egressIntervalMs(perSecond);
  const bans = new Map<Question, Ban>();
  let tatMs = -Infinity;
  let inFlight = 0;
  let flights = 0;

  const banFreeAtMs = (question: Question): number => {
    const ban = bans.get(question);
    return Math.max(
      bans.get('getUser')?.untilMs ?? -Infinity,
      ban?.isProbed === true ? Infinity : (ban?.untilMs ?? -Infinity),
    );
  };
  const freeAtMs = (question: Question, nowMs: number): number =>
    Math.max(tatMs - EGRESS_LATE_MS, banFreeAtMs(question), invalidRequests.freeAtMs(nowMs, inFlight));

  return {
    take: async (question) => {
      const nowMs = clock.monotonicMs();
      if (freeAtMs(question, nowMs) > nowMs) return null;
      tatMs = Math.max(tatMs, nowMs) + intervalMs;
      inFlight += 1;
      const ban = bans.get(question);
      if (ban !== undefined) ban.isProbed = true;
      flights += 1;
      return { question, flight: `${flights}`, isProbe: ban !== undefined, expiresAtMs: Infinity };
    },
    settle: ({ question, isProbe }, { banMs, isAnswered }) => {
      inFlight -= 1;
      const ban = bans.get(question);
      if (banMs !== null) {
        const untilMs = Math.max(ban?.untilMs ?? -Infinity, clock.monotonicMs() + banMs);
        bans.set(question, { untilMs, isProbed: false });
      } else if (isProbe && ban !== undefined) {
        ban.isProbed = false;
        if (isAnswered) bans.delete(question);
      }
    },
    freeAtMs,
    pause: (nowMs) => {
      const banMs = banFreeAtMs('getUser');
      if (banMs > nowMs) return { cause: 'banned', untilMs: banMs };
      const invalidMs = invalidRequests.freeAtMs(nowMs, inFlight);
      return invalidMs > nowMs ? { cause: 'invalid-requests', untilMs: invalidMs } : null;
    },
    invalidRequests: invalidRequests.count,
  };
};
