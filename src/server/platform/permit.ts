import type { Clock } from '#server/system.ts';
import type { DiscordClient } from './discord-client.ts';
import type { PlatformQuestions, Question } from './questions.ts';
import { outcomeOf, type PlatformAnswer, type PlatformOutcome } from './platform-answer.ts';

/**
 * The right to ask the platform one question, once, and the only way to ask it any. The outcome, even an
 * exception, counts towards pace, breaker and invalid requests without the caller's help.
 */
export type Permit<Q extends Question> = {
  readonly ask: PlatformQuestions[Q];
  /** For a question that will not be asked after all. */
  readonly release: () => void;
};

export type PermitsDeps = {
  readonly clock: Clock;
  readonly client: DiscordClient;
  readonly onAnswer: (outcome: PlatformOutcome, tookMs: number) => void;
};

export type PermitTerms = {
  /** The answer is null if nothing was asked after all. */
  readonly settle: (answer: PlatformAnswer<unknown> | null, nowMs: number) => void;
  readonly expiresAtMs: number;
};

const NO_ANSWER: PlatformAnswer<never> = { kind: 'failed', reason: 'network' };
const TOO_LATE: PlatformAnswer<never> = { kind: 'failed', reason: 'timeout' };

export const createPermits =
  ({ clock, client, onAnswer }: PermitsDeps) =>
  <Q extends Question>(question: Q, { settle, expiresAtMs }: PermitTerms): Permit<Q> => {
    const send = client[question] as (...args: unknown[]) => Promise<PlatformAnswer<unknown>>;
    let used = false;
    const useUp = (): void => {
      if (used) throw new TypeError('A permit is good for one question.');
      used = true;
    };
    const release = (): void => {
      useUp();
      settle(null, clock.monotonicMs());
    };
    const ask = async (...args: unknown[]): Promise<PlatformAnswer<unknown>> => {
      const sentMs = clock.monotonicMs();
      if (sentMs > expiresAtMs) {
        release();
        return TOO_LATE;
      }
      useUp();
      let answer: PlatformAnswer<unknown> = NO_ANSWER;
      try {
        answer = await send(...args);
        return answer;
      } finally {
        const receivedMs = clock.monotonicMs();
        settle(answer, receivedMs);
        onAnswer(outcomeOf(answer), receivedMs - sentMs);
      }
    };
    return { ask: ask as PlatformQuestions[Q], release };
  };
