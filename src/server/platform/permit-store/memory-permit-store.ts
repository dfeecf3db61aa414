import type { Clock } from '#server/system.ts';
import { EGRESS_LATE_MS, egressIntervalMs } from '../egress-rules.ts';
import type { Question } from '../questions.ts';
import type { PermitStore } from './permit-store.ts';
import type { Standing } from './standing.ts';

export type MemoryPermitStoreDeps = {
  readonly clock: Clock;
  readonly standing: Standing;
  readonly perSecond: number;
};

type Ban = { readonly untilMs: number; isProbed: boolean };

/** The permits of a single server, or of a command on the same machine. */
export const createMemoryPermitStore = (deps: MemoryPermitStoreDeps): PermitStore => {
  const { clock, standing, perSecond } = deps;
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
    Math.max(tatMs - EGRESS_LATE_MS, banFreeAtMs(question), standing.freeAtMs(nowMs, inFlight));

  const ban = (question: Question, untilMs: number): void => {
    const before = bans.get(question)?.untilMs ?? -Infinity;
    bans.set(question, { untilMs: Math.max(before, untilMs), isProbed: false });
  };
  /** Includes the other processes of this machine, and the time before a restart. */
  const catchUp = (nowMs: number): void => {
    const { bans: found, sent } = standing.catchUp();
    for (const [question, untilMs] of found) ban(question, untilMs);
    if (sent > 0) tatMs = Math.max(tatMs, nowMs) + sent * intervalMs;
  };
  catchUp(clock.monotonicMs());

  return {
    take: async (question) => {
      const nowMs = clock.monotonicMs();
      catchUp(nowMs);
      if (freeAtMs(question, nowMs) > nowMs) return null;
      tatMs = Math.max(tatMs, nowMs) + intervalMs;
      inFlight += 1;
      const probed = bans.get(question);
      if (probed !== undefined) probed.isProbed = true;
      flights += 1;
      standing.sent();
      return { question, flight: `${flights}`, isProbe: probed !== undefined, expiresAtMs: Infinity };
    },
    settle: ({ question, isProbe }, { banMs, isAnswered }) => {
      inFlight -= 1;
      const probed = bans.get(question);
      if (banMs !== null) ban(question, clock.monotonicMs() + banMs);
      else if (isProbe && probed !== undefined) {
        probed.isProbed = false;
        if (isAnswered) bans.delete(question);
      }
    },
    freeAtMs,
    pause: (nowMs, question = 'getUser') => {
      catchUp(nowMs);
      const banMs = banFreeAtMs(question);
      if (banMs > nowMs) return { cause: 'banned', untilMs: banMs };
      const invalidMs = standing.freeAtMs(nowMs, inFlight);
      return invalidMs > nowMs ? { cause: 'invalid-requests', untilMs: invalidMs } : null;
    },
    invalidRequests: standing.count,
  };
};
