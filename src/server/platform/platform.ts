import { sleep, type Clock, type Random } from '#server/system.ts';
import { createBreaker } from './breaker.ts';
import type { DiscordClient } from './discord-client.ts';
import { settlementOf } from './egress-rules.ts';
import type { Grant, PermitStore, StandingPause } from './permit-store/permit-store.ts';
import type { Standing } from './permit-store/standing.ts';
import { createPermits, type Permit, type PermitsDeps } from './permit.ts';
import type { Question } from './questions.ts';

/** The only way to the platform. */
export type Platform = {
  /** A permit as soon as the question may be asked; null if that is more than `patienceMs` away. */
  readonly requestPermit: <Q extends Question>(question: Q, patienceMs?: number) => Promise<Permit<Q> | null>;
  /** When the question may be asked, as far as is known here. Infinity: once an answer in flight has arrived. */
  readonly freeAtMs: (question: Question, nowMs: number) => number;
  /** What keeps a question from being asked, a lookup's unless said, if it is the platform or our standing with it. */
  readonly pause: (nowMs: number, question?: Question) => PlatformPause | null;
  readonly inFlight: () => number;
  /** Answers of the last ten minutes that the platform holds against our address. */
  readonly invalidRequests: () => number;
  readonly close: () => Promise<void>;
};

export type PlatformPause = StandingPause | { readonly cause: 'platform-failing'; readonly untilMs: number };

export type PlatformDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: DiscordClient;
  readonly store: PermitStore;
  readonly standing: Pick<Standing, 'settled'>;
  readonly onAnswer: PermitsDeps['onAnswer'];
};

const newBreaker = () =>
  createBreaker({ failures: 5, withinMs: 10_000, firstPauseMs: 1_000, maxPauseMs: 30_000 });

/**
 * Pace, bans and invalid requests are the store's; the breakers, one for each question, belong to this process.
 * Nearly all requests are lookups, so if one meets a ban or an outage, everything stops: it probably concerns our address
 * or the whole platform. If another question meets one, only that question stops: single routes are banned, too.
 */
export const createPlatform = (deps: PlatformDeps): Platform => {
  const { clock, random, client, store, standing, onAnswer } = deps;
  const createPermit = createPermits({ clock, client, onAnswer });
  const breakers: Readonly<Record<Question, ReturnType<typeof newBreaker>>> = {
    getUser: newBreaker(),
    getOwnUser: newBreaker(),
    getOwnApplication: newBreaker(),
    getInvite: newBreaker(),
    getGateway: newBreaker(),
  };
  let inFlight = 0;

  const breakerFreeAtMs = (question: Question): number =>
    Math.max(breakers.getUser.freeAtMs(), breakers[question].freeAtMs());
  const freeAtMs = (question: Question, nowMs: number): number =>
    Math.max(breakerFreeAtMs(question), store.freeAtMs(question, nowMs));

  const attempt = async <Q extends Question>(question: Q): Promise<Permit<Q> | null> => {
    const nowMs = clock.monotonicMs();
    if (freeAtMs(question, nowMs) > nowMs) return null;
    const breaker = breakers[question];
    breaker.sent();
    inFlight += 1;
    let grant: Grant | null = null;
    try {
      grant = await store.take(question);
    } finally {
      if (grant === null) {
        inFlight -= 1;
        breaker.released();
      }
    }
    return grant && permitOf(question, grant);
  };

  const permitOf = <Q extends Question>(question: Q, grant: Grant): Permit<Q> => {
    const breaker = breakers[question];
    return createPermit(question, {
      expiresAtMs: grant.expiresAtMs,
      settle: (answer, settledMs) => {
        inFlight -= 1;
        if (answer === null) breaker.released();
        else breaker.settled(answer.kind === 'failed' ? 'failure' : 'success', settledMs);
        const settlement = settlementOf(answer, random);
        standing.settled(question, settlement);
        store.settle(grant, settlement);
      },
    });
  };

  return {
    requestPermit: async (question, patienceMs = 0) => {
      const deadlineMs = clock.monotonicMs() + patienceMs;
      for (;;) {
        const permit = await attempt(question);
        if (permit !== null) return permit;
        const nowMs = clock.monotonicMs();
        const chanceMs = freeAtMs(question, nowMs);
        if (chanceMs > deadlineMs) return null;
        await sleep(clock, chanceMs - nowMs);
      }
    },
    freeAtMs,
    pause: (nowMs, question = 'getUser') => {
      const breakerMs = breakerFreeAtMs(question);
      return (
        store.pause(nowMs, question) ??
        (breakerMs > nowMs ? { cause: 'platform-failing', untilMs: breakerMs } : null)
      );
    },
    inFlight: () => inFlight,
    invalidRequests: store.invalidRequests,
    close: client.close,
  };
};
