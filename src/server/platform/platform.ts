import { sleep, type Clock, type Random } from '#server/system.ts';
import type { DiscordClient, PlatformQuestions } from './discord-client.ts';
import { createEgressGate } from './egress-gate.ts';
import type { InvalidRequestGovernor } from './invalid-request-governor.ts';
import { outcomeOf, type PlatformAnswer, type PlatformOutcome } from './platform-answer.ts';

/**
 * The right to ask the platform one question, and the only way to ask it any. Whatever comes of the question, an
 * exception included, counts towards pace, breaker and governor without anybody's help.
 */
export type Pass = PlatformQuestions & {
  /** For a question that will not be asked after all. */
  readonly release: () => void;
};

/** The one door to the platform. */
export type Platform = {
  /** A pass as soon as a request may leave; null if that is more than `patienceMs` away. */
  readonly pass: (patienceMs?: number) => Promise<Pass | null>;
  /** A pass for what `choose` finds to send now, in one step: neither is taken without the other. */
  readonly passFor: <T>(choose: (nowMs: number) => T | undefined) => Promise<PassFor<T> | null>;
  /** When a request may leave. Infinity means: once an answer that is under way is in. */
  readonly freeAtMs: (nowMs: number) => number;
  /** True while the platform, or our standing with it, keeps the door shut, and not our own pace. */
  readonly isPaused: (nowMs: number) => boolean;
  readonly inFlight: () => number;
  /** Answers of the last ten minutes that the platform holds against our address. */
  readonly invalidRequests: () => number;
  readonly close: () => Promise<void>;
};

export type PassFor<T> = { readonly pass: Pass; readonly chosen: T };

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

  const createPass = (): Pass => {
    let used = false;
    const useUp = (): void => {
      if (used) throw new TypeError('A pass is good for one question.');
      used = true;
    };
    const ask = async <T>(question: () => Promise<PlatformAnswer<T>>): Promise<PlatformAnswer<T>> => {
      useUp();
      const sentMs = clock.monotonicMs();
      let answer: PlatformAnswer<T> = NO_ANSWER;
      try {
        answer = await question();
        return answer;
      } finally {
        const receivedMs = clock.monotonicMs();
        gate.settled(answer, receivedMs);
        onAnswer(outcomeOf(answer), receivedMs - sentMs);
      }
    };
    return {
      getUser: (id, token, patienceMs) => ask(() => client.getUser(id, token, patienceMs)),
      getOwnUser: (token) => ask(() => client.getOwnUser(token)),
      getOwnApplication: (token) => ask(() => client.getOwnApplication(token)),
      getInvite: (code) => ask(() => client.getInvite(code)),
      getGateway: () => ask(client.getGateway),
      release: () => {
        useUp();
        gate.settled(null, clock.monotonicMs());
      },
    };
  };

  const passFor = async <T>(choose: (nowMs: number) => T | undefined): Promise<PassFor<T> | null> => {
    const nowMs = clock.monotonicMs();
    if (gate.freeAtMs(nowMs) > nowMs) return null;
    const chosen = choose(nowMs);
    if (chosen === undefined) return null;
    gate.sent(nowMs);
    return { pass: createPass(), chosen };
  };

  const pass = async (patienceMs = 0): Promise<Pass | null> => {
    const deadlineMs = clock.monotonicMs() + patienceMs;
    for (;;) {
      const granted = await passFor(() => true);
      if (granted !== null) return granted.pass;
      const nowMs = clock.monotonicMs();
      const freeAtMs = gate.freeAtMs(nowMs);
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
