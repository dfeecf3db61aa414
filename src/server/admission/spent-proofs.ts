import { createSecretKey, type KeyObject } from 'node:crypto';
import type { System } from '#server/system.ts';
import type { VerifiedProof } from '#server/captcha/proof-verifier.ts';
import type { LimitedEvent, LimitRefusal, MemoryVisitorCounters } from '#server/visitors/visitor-counters.ts';

/**
 * A full memory is `unavailable`: an unexpired proof is never forgotten. `invalid`: the key that verified it has been
 * lost since, together with the memory. A visitor over a limit keeps the proof.
 */
export type SpendOutcome = 'accepted' | 'used' | 'invalid' | 'unavailable' | LimitRefusal;

/** Remembers which challenges were spent. Its key dies with its memory, so what is forgotten cannot be used again. */
export type SpentProofs = {
  /** The secret that signs challenges that expire then; as long-lived as the memory of those spent, never longer. */
  readonly signingKey: (expiresAtMs: number) => KeyObject | undefined;
  /**
   * Spends the proof and counts the events in one step, both or neither: of any number of parallel calls with one
   * proof, at most one gets `accepted`.
   */
  readonly spend: (proof: VerifiedProof, events: readonly LimitedEvent[]) => Promise<SpendOutcome>;
};

export type SpentProofsOptions = {
  readonly system: System;
  readonly counters: Pick<MemoryVisitorCounters, 'take'>;
  readonly capacity?: number;
};

type Generation = { readonly ids: Set<string>; forgetAtMs: number };

/** About 27 MB of ids, or 800 proofs a second that live 300 s each. */
const DEFAULT_CAPACITY = 500_000;
/** Smaller backward steps of the wall clock are bridged by remembering longer; a larger one renews the key. */
const BRIDGED_STEP_MS = 10_000;

const emptyGeneration = (): Generation => ({ ids: new Set(), forgetAtMs: 0 });

/** Half of the digest that the challenge is: sixteen bytes in a one-byte string. */
const compact = (challengeId: string): string =>
  Buffer.from(challengeId.slice(0, 32), 'hex').toString('latin1');

/**
 * A wall clock set back would make a proof valid again after its entry was forgotten by the monotonic
 * clock. A new key makes every challenge signed before the step worthless instead.
 */
const createSigningKey = ({ clock, random }: System): (() => KeyObject) => {
  const newKey = (): KeyObject => createSecretKey(random.bytes(32));
  let key = newKey();
  let furthestOffsetMs = -Infinity;
  return () => {
    const offsetMs = clock.wallMs() - clock.monotonicMs();
    if (offsetMs < furthestOffsetMs - BRIDGED_STEP_MS) {
      key = newKey();
      furthestOffsetMs = offsetMs;
    }
    furthestOffsetMs = Math.max(furthestOffsetMs, offsetMs);
    return key;
  };
};

/** In memory: all of it is gone, and every open challenge with it, when the process ends. One key for all challenges. */
export const createMemorySpentProofs = ({
  system,
  counters,
  capacity = DEFAULT_CAPACITY,
}: SpentProofsOptions): SpentProofs & { readonly signingKey: () => KeyObject } => {
  const signingKey = createSigningKey(system);
  let older = emptyGeneration();
  let newer = emptyGeneration();

  /** Ids go a generation at a time, once the last of its ids may go. */
  const forgetExpired = (nowMs: number): void => {
    if (nowMs < older.forgetAtMs) return;
    older = newer;
    newer = emptyGeneration();
  };

  return {
    signingKey,
    spend: async ({ challengeId, ttlMs, key }, events) => {
      if (key !== signingKey()) return 'invalid';
      const nowMs = system.clock.monotonicMs();
      forgetExpired(nowMs);
      const id = compact(challengeId);
      if (older.ids.has(id) || newer.ids.has(id)) return 'used';
      if (older.ids.size + newer.ids.size >= capacity) return 'unavailable';
      const decision = counters.take(events);
      if (!decision.allowed) return decision;
      newer.ids.add(id);
      newer.forgetAtMs = Math.max(newer.forgetAtMs, nowMs + ttlMs + BRIDGED_STEP_MS);
      return 'accepted';
    },
  };
};
