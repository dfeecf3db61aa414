import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { System } from '#server/system.ts';
import type { LimitedEvent, LimitRefusal, VisitorCounters } from '#server/visitors/visitor-counters.ts';

/**
 * A full memory is `unavailable`, as one that fails: an unexpired proof is never forgotten. `invalid`: the key has
 * been lost meanwhile, together with the memory. Whoever is over a limit keeps the proof.
 */
export type SpendOutcome = 'accepted' | 'used' | 'invalid' | 'unavailable' | LimitRefusal;

/** What a proof is spent on. */
export type Spending = {
  readonly challengeId: string;
  readonly ttlMs: number;
  /** What verified it. */
  readonly key: KeyObject;
  /** Counted together with it: both or neither. */
  readonly events: readonly LimitedEvent[];
};

/** Remembers which challenges were spent. Its key dies with its memory, so what is forgotten cannot be used again. */
export type SpentProofs = {
  /** The secret that signs challenges; as long-lived as the memory of those spent, never longer. */
  readonly signingKey: () => Promise<KeyObject>;
  /** Atomic: of any number of parallel calls with one id, at most one gets `accepted`. */
  readonly spend: (spending: Spending) => Promise<SpendOutcome>;
};

export type SpentProofsOptions = {
  readonly system: System;
  readonly counters: Pick<VisitorCounters, 'take'>;
  readonly capacity?: number;
};

type Generation = { readonly ids: Set<string>; forgetAtMs: number };

/** About 27 MB of ids, or 800 proofs a second that live 300 s each. */
const DEFAULT_CAPACITY = 500_000;
/** Smaller backward steps of the wall clock are bridged by remembering longer; a larger one renews the key. */
const BRIDGED_STEP_MS = 10_000;

const emptyGeneration = (): Generation => ({ ids: new Set(), forgetAtMs: 0 });

/** Sixteen bytes in a one-byte string cost half of what the hexadecimal text would. */
const compact = (challengeId: string): string =>
  Buffer.from(hash('sha256', challengeId), 'hex').toString('latin1', 0, 16);

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

/** In memory: all of it is gone, and every open challenge with it, when the process ends. */
export const createSpentProofs = ({
  system,
  counters,
  capacity = DEFAULT_CAPACITY,
}: SpentProofsOptions): SpentProofs => {
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
    signingKey: async () => signingKey(),
    spend: async ({ challengeId, ttlMs, events }) => {
      const nowMs = system.clock.monotonicMs();
      forgetExpired(nowMs);
      const id = compact(challengeId);
      if (older.ids.has(id) || newer.ids.has(id)) return 'used';
      if (older.ids.size + newer.ids.size >= capacity) return 'unavailable';
      const generation = newer;
      generation.ids.add(id);
      generation.forgetAtMs = Math.max(generation.forgetAtMs, nowMs + ttlMs + BRIDGED_STEP_MS);
      const decision = await counters.take(events);
      if (decision.allowed) return 'accepted';
      generation.ids.delete(id);
      return decision;
    },
  };
};
