import { isUnavailable } from '#server/app-error.ts';
import { sleep } from '#server/system.ts';
import { createBreaker } from './breaker.ts';
import { createDiscordClient, type DiscordClient } from './discord-client.ts';
import { createGate, type GateDeps, type Grant, type TokenFlight, type TokenSteps } from './gate.ts';
import { outcomeOf, type PlatformAnswer, type PlatformOutcome } from './wire/platform-answer.ts';
import type { PlatformQuestions, Question } from './wire/questions.ts';

/**
 * The right to ask the platform one question, once, and the only way to ask it any. The outcome, even an exception,
 * counts towards pace, breaker and invalid requests without the caller's help.
 */
export type Permit<Q extends Question> = {
  readonly ask: PlatformQuestions[Q];
  /** For a question that will not be asked after all. */
  readonly release: () => void;
};

/** The only way to the platform. */
export type Platform = {
  /** A permit if the question may be asked now, with a token if it takes one. */
  readonly attempt: <Q extends Question>(
    question: Q,
    steps?: TokenSteps,
    flight?: TokenFlight,
  ) => Promise<Permit<Q> | null>;
  /** A permit as soon as the question may be asked; null if that is more than `patienceMs` away. */
  readonly requestPermit: <Q extends Question>(question: Q, patienceMs?: number) => Promise<Permit<Q> | null>;
  /** How long until the question may be asked, as far as is known here. Infinity: once an answer has arrived. */
  readonly waitMs: (question: Question) => number;
  /** What keeps a question from being asked, a lookup's unless said, if it is the platform or our standing with it. */
  readonly pause: (question?: Question) => PlatformPause | null;
  readonly inFlight: () => number;
  /** Answers of the last ten minutes that the platform holds against our address. */
  readonly invalidRequests: () => number;
  /** Resolves once all that was learned from answers is on record. */
  readonly close: () => Promise<void>;
};

/** `waitMs` is Infinity while an answer in flight decides. */
export type PlatformPause = {
  readonly cause: 'banned' | 'invalid-requests' | 'platform-failing';
  readonly waitMs: number;
};

export type PlatformDeps = GateDeps & {
  readonly client: DiscordClient;
  readonly onAnswer: (outcome: PlatformOutcome, tookMs: number) => void;
  /** What an answer teaches is on record. */
  readonly onSettled: () => void;
};

const NO_ANSWER: PlatformAnswer<never> = { kind: 'failed', reason: 'network' };
const TOO_LATE: PlatformAnswer<never> = { kind: 'failed', reason: 'timeout' };

const newBreaker = () =>
  createBreaker({ failures: 5, withinMs: 10_000, firstPauseMs: 1_000, maxPauseMs: 30_000 });
const newBreakers = (): Readonly<Record<Question, ReturnType<typeof newBreaker>>> => ({
  getUser: newBreaker(),
  getOwnUser: newBreaker(),
  getOwnApplication: newBreaker(),
  getInvite: newBreaker(),
  getGateway: newBreaker(),
});

/**
 * The gate holds for all servers; the breakers, one for each question, belong to this process. Nearly all requests are
 * lookups, so if they fail, everything stops: it probably concerns the whole platform.
 */
export const createPlatform = (deps: PlatformDeps): Platform => {
  const { clock, client, onAnswer, onSettled } = deps;
  const gate = createGate(deps);
  const breakers = newBreakers();
  let recording = 0;
  let onIdle = (): void => {};

  const breakerWaitMs = (question: Question): number =>
    Math.max(breakers.getUser.freeAtMs(), breakers[question].freeAtMs()) - clock.monotonicMs();
  const waitMs = (question: Question): number => Math.max(breakerWaitMs(question), gate.waitMs(question));

  const record = async (grant: Grant, answer: PlatformAnswer<unknown> | null): Promise<void> => {
    recording += 1;
    await gate.settle(grant, answer);
    recording -= 1;
    if (recording === 0) onIdle();
    onSettled();
  };

  const permitOf = <Q extends Question>(question: Q, grant: Grant, isBreakerProbe: boolean): Permit<Q> => {
    const send = client[question] as (...args: unknown[]) => Promise<PlatformAnswer<unknown>>;
    const breaker = breakers[question];
    let used = false;
    const useUp = (): void => {
      if (used) throw new TypeError('A permit is good for one question.');
      used = true;
    };
    const settle = (answer: PlatformAnswer<unknown> | null): void => {
      const result = answer?.kind === 'failed' ? 'failure' : 'success';
      if (answer === null) breaker.released(isBreakerProbe);
      else breaker.settled(result, clock.monotonicMs(), isBreakerProbe);
      void record(grant, answer);
    };
    const ask = async (...args: unknown[]): Promise<PlatformAnswer<unknown>> => {
      useUp();
      if (!gate.isDue(grant) && !(await gate.awaitSlot(grant).catch(falseIfUnavailable))) {
        settle(null);
        return TOO_LATE;
      }
      const sentMs = clock.monotonicMs();
      let answer: PlatformAnswer<unknown> = NO_ANSWER;
      try {
        answer = await send(...args);
        return answer;
      } finally {
        settle(answer);
        onAnswer(outcomeOf(answer), clock.monotonicMs() - sentMs);
      }
    };
    const release = (): void => {
      useUp();
      settle(null);
    };
    return { ask: ask as PlatformQuestions[Q], release };
  };

  const attempt = async <Q extends Question>(
    question: Q,
    steps?: TokenSteps,
    flight?: TokenFlight,
  ): Promise<Permit<Q> | null> => {
    if (waitMs(question) > 0) return null;
    const breaker = breakers[question];
    const isBreakerProbe = breaker.sent();
    let grant: Grant | null = null;
    try {
      grant = await gate.take(question, steps, flight);
    } finally {
      if (grant === null) breaker.released(isBreakerProbe);
    }
    return grant && permitOf(question, grant, isBreakerProbe);
  };

  return {
    attempt,
    requestPermit: async (question, patienceMs = 0) => {
      const deadlineMs = clock.monotonicMs() + patienceMs;
      for (;;) {
        const permit = await attempt(question);
        if (permit !== null) return permit;
        const chanceMs = waitMs(question);
        if (clock.monotonicMs() + chanceMs > deadlineMs) return null;
        await sleep(clock, chanceMs);
      }
    },
    waitMs,
    pause: (question = 'getUser') => {
      const breakerMs = breakerWaitMs(question);
      return (
        gate.pause(question) ?? (breakerMs > 0 ? { cause: 'platform-failing', waitMs: breakerMs } : null)
      );
    },
    inFlight: gate.inFlight,
    invalidRequests: gate.invalidRequests,
    close: async () => {
      await client.close();
      if (recording > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
};

const falseIfUnavailable = (error: unknown): boolean => {
  if (!isUnavailable(error)) throw error;
  return false;
};

export type ConnectPlatformDeps = Omit<PlatformDeps, 'client'> & {
  readonly apiUrl: string;
  /** The site's own address: the platform wants to know who asks. */
  readonly publicUrl: string;
};

/** The client never leaves this folder. */
export const connectPlatform = ({ apiUrl, publicUrl, ...deps }: ConnectPlatformDeps): Platform =>
  createPlatform({ ...deps, client: createDiscordClient({ clock: deps.clock, apiUrl, publicUrl }) });
