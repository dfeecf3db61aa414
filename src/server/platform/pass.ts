import { sleep, type Clock } from '#server/system.ts';
import type { DiscordClient } from './discord-client.ts';
import type { PlatformQuestions, Question } from './questions.ts';
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

export type PassesDeps = {
  readonly clock: Clock;
  readonly client: DiscordClient;
  readonly onAnswer: (outcome: PlatformOutcome, tookMs: number) => void;
};

/** The answer is null if nothing was asked after all. */
export type SettlePass = (question: Question, answer: PlatformAnswer<unknown> | null, nowMs: number) => void;

const NO_ANSWER: PlatformAnswer<never> = { kind: 'failed', reason: 'network' };
const TOO_LATE: PlatformAnswer<never> = { kind: 'failed', reason: 'timeout' };

export const createPasses =
  ({ clock, client, onAnswer }: PassesDeps) =>
  /** Nothing is asked with it after `endsAtMs`. */
  <Q extends Question>(question: Q, settled: SettlePass, endsAtMs = Infinity): Pass<Q> => {
    const put = client[question] as (...args: unknown[]) => Promise<PlatformAnswer<unknown>>;
    let used = false;
    const useUp = (): void => {
      if (used) throw new TypeError('A pass is good for one question.');
      used = true;
    };
    const release = (): void => {
      useUp();
      settled(question, null, clock.monotonicMs());
    };
    const ask = async (...args: unknown[]): Promise<PlatformAnswer<unknown>> => {
      const sentMs = clock.monotonicMs();
      if (sentMs > endsAtMs) {
        release();
        return TOO_LATE;
      }
      useUp();
      let answer: PlatformAnswer<unknown> = NO_ANSWER;
      try {
        answer = await put(...args);
        return answer;
      } finally {
        const receivedMs = clock.monotonicMs();
        settled(question, answer, receivedMs);
        onAnswer(outcomeOf(answer), receivedMs - sentMs);
      }
    };
    return { ask: ask as PlatformQuestions[Q], release };
  };

/** Tries for as long as there is hope; null if the next chance is more than `patienceMs` away. */
export const waitForPass = async <P>(
  clock: Clock,
  patienceMs: number,
  { attempt, freeAtMs }: { attempt: () => Promise<P | null>; freeAtMs: (nowMs: number) => number },
): Promise<P | null> => {
  const deadlineMs = clock.monotonicMs() + patienceMs;
  for (;;) {
    const pass = await attempt();
    if (pass !== null) return pass;
    const nowMs = clock.monotonicMs();
    const chanceMs = freeAtMs(nowMs);
    if (chanceMs > deadlineMs) return null;
    await sleep(clock, chanceMs - nowMs);
  }
};
