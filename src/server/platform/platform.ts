import { sleep, type Clock, type Random } from '#server/system.ts';
import type { DiscordClient, PlatformQuestions, Question } from './discord-client.ts';
import { createEgressGate } from './egress-gate.ts';
import type { InvalidRequestGovernor } from './invalid-request-governor.ts';
import { outcomeOf, type PlatformAnswer, type PlatformOutcome } from './platform-answer.ts';

/**
 * The right to ask the platform one question, once, and the only way to ask it any. Whatever comes of it, an exception
 * included, counts towards pace, breaker and governor without anybody's help.
 */
export type Pass<Q extends Question> = {
  readonly ask: PlatformQuestions[Q];
  /** For a question that will not be asked after all. */
  readonly release: () => void;
};

/** The one door to the platform. */
export type Platform = {
  /** A pass as soon as the question may be asked; null if that is more than `patienceMs` away. */
  readonly pass: <Q extends Question>(question: Q, patienceMs?: number) => Promise<Pass<Q> | null>;
  /** A pass for what `choose` finds to send now, in one step: neither is taken without the other. */
  readonly passFor: <Q extends Question, T>(
    question: Q,
    choose: (nowMs: number) => T | undefined,
  ) => Promise<PassFor<Q, T> | null>;
  /** When the question may be asked. Infinity means: once an answer that is under way is in. */
  readonly freeAtMs: (question: Question, nowMs: number) => number;
  /** True while the platform, or our standing with it, keeps lookups from leaving, and not our own pace. */
  readonly isPaused: (nowMs: number) => boolean;
  readonly inFlight: () => number;
  /** Answers of the last ten minutes that the platform holds against our address. */
  readonly invalidRequests: () => number;
  readonly close: () => Promise<void>;
};

export type PassFor<Q extends Question, T> = { readonly pass: Pass<Q>; readonly chosen: T };

export type PlatformDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: DiscordClient;
  readonly governor: InvalidRequestGovernor;
  readonly perSecond: number;
  readonly onAnswer: (outcome: PlatformOutcome, tookMs: number) => void;
};

const NO_ANSWER: PlatformAnswer<never> = { kind: 'failed', reason: 'network' };

export const createPlatform = (deps: PlatformDeps): Platform => {
  const { clock, random, client, governor, perSecond, onAnswer } = deps;
  const gate = createEgressGate({ random, governor, perSecond });

  const createPass = <Q extends Question>(question: Q): Pass<Q> => {
    const put = client[question] as (...args: unknown[]) => Promise<PlatformAnswer<unknown>>;
    let used = false;
    const useUp = (): void => {
      if (used) throw new TypeError('A pass is good for one question.');
      used = true;
    };
    const ask = async (...args: unknown[]): Promise<PlatformAnswer<unknown>> => {
      useUp();
      const sentMs = clock.monotonicMs();
      let answer: PlatformAnswer<unknown> = NO_ANSWER;
      try {
        answer = await put(...args);
        return answer;
      } finally {
        const receivedMs = clock.monotonicMs();
        gate.settled(question, answer, receivedMs);
        onAnswer(outcomeOf(answer), receivedMs - sentMs);
      }
    };
    return {
      ask: ask as PlatformQuestions[Q],
      release: () => {
        useUp();
        gate.settled(question, null, clock.monotonicMs());
      },
    };
  };

  const passFor: Platform['passFor'] = async (question, choose) => {
    const nowMs = clock.monotonicMs();
    if (gate.freeAtMs(question, nowMs) > nowMs) return null;
    const chosen = choose(nowMs);
    if (chosen === undefined) return null;
    gate.sent(question, nowMs);
    return { pass: createPass(question), chosen };
  };

  const pass: Platform['pass'] = async (question, patienceMs = 0) => {
    const deadlineMs = clock.monotonicMs() + patienceMs;
    for (;;) {
      const granted = await passFor(question, () => true);
      if (granted !== null) return granted.pass;
      const nowMs = clock.monotonicMs();
      const freeAtMs = gate.freeAtMs(question, nowMs);
      if (freeAtMs > deadlineMs) return null;
      await sleep(clock, freeAtMs - nowMs);
    }
  };

  return {
    pass,
    passFor,
    freeAtMs: gate.freeAtMs,
    isPaused: gate.isPaused,
    inFlight: gate.inFlight,
    invalidRequests: governor.count,
    close: client.close,
  };
};
