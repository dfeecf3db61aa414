import type { Clock, Random } from '#server/system.ts';
import type { DiscordClient } from './discord-client.ts';
import type { Question } from './questions.ts';
import { createEgressGate } from './egress-gate.ts';
import type { InvalidRequestGovernor } from './invalid-request-governor.ts';
import { createPasses, waitForPass, type Pass, type PassesDeps } from './pass.ts';

/** The one door to the platform. */
export type Platform = {
  /** A pass as soon as the question may be asked; null if that is more than `patienceMs` away. */
  readonly pass: <Q extends Question>(question: Q, patienceMs?: number) => Promise<Pass<Q> | null>;
  /** When the question may be asked. Infinity means: once an answer that is under way is in. */
  readonly freeAtMs: (question: Question, nowMs: number) => number;
  /** True while the platform, or our standing with it, keeps lookups from leaving, and not our own pace. */
  readonly isPaused: (nowMs: number) => boolean;
  readonly inFlight: () => number;
  /** Answers of the last ten minutes that the platform holds against our address. */
  readonly invalidRequests: () => number;
  readonly close: () => Promise<void>;
};

/** The door of a process that is alone. */
export type LocalPlatform = Platform & {
  /** A pass for what `choose` finds to send now, in one step: neither is taken without the other. */
  readonly passFor: <Q extends Question, T>(
    question: Q,
    choose: (nowMs: number) => T | undefined,
  ) => Promise<PassFor<Q, T> | null>;
};

export type PassFor<Q extends Question, T> = { readonly pass: Pass<Q>; readonly chosen: T };

export type PlatformDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: DiscordClient;
  readonly governor: InvalidRequestGovernor;
  readonly perSecond: number;
  readonly onAnswer: PassesDeps['onAnswer'];
};

export const createPlatform = (deps: PlatformDeps): LocalPlatform => {
  const { clock, random, client, governor, perSecond, onAnswer } = deps;
  const gate = createEgressGate({ random, governor, perSecond });
  const createPass = createPasses({ clock, client, onAnswer });

  const passFor: LocalPlatform['passFor'] = async (question, choose) => {
    const nowMs = clock.monotonicMs();
    if (gate.freeAtMs(question, nowMs) > nowMs) return null;
    const chosen = choose(nowMs);
    if (chosen === undefined) return null;
    gate.sent(question, nowMs);
    return { pass: createPass(question, gate.settled), chosen };
  };

  return {
    pass: (question, patienceMs = 0) =>
      waitForPass(clock, patienceMs, {
        attempt: async () => (await passFor(question, () => true))?.pass ?? null,
        freeAtMs: (nowMs) => gate.freeAtMs(question, nowMs),
      }),
    passFor,
    freeAtMs: gate.freeAtMs,
    isPaused: gate.isPaused,
    inFlight: gate.inFlight,
    invalidRequests: governor.count,
    close: client.close,
  };
};
