import type { KeyObject } from 'node:crypto';
import type { MaybePromise } from './token-store.ts';

/** `count` events per `periodMs`, of which `burst` may come at once. */
export type Allowance = { readonly count: number; readonly periodMs: number; readonly burst: number };

/** Whom an event counts against, as a keyed digest, and what they may do: each allowance must agree. */
export type Counter = { readonly key: Buffer; readonly allowances: readonly [Allowance, Allowance?] };

export type LimitRefusal = { readonly allowed: false; readonly retryAfterMs: number };
export type LimitDecision =
  /** `pressure`: share of the burst in use after this event, 0..1. */
  { readonly allowed: true; readonly pressure: number } | LimitRefusal;

export type SigningKey = { readonly id: string; readonly secret: KeyObject };

/** `challengeId` is a SHA-256 in hex, `keyId` names the key that signed the challenge. */
export type SignedProof = { readonly challengeId: string; readonly keyId: string };

/**
 * `invalid`: the key has been lost since, together with the memory of what was spent. A full memory is `unavailable`: an
 * unexpired proof is never forgotten. A visitor over a limit keeps the proof.
 */
export type RedeemOutcome = 'accepted' | 'used' | 'invalid' | 'unavailable' | LimitRefusal;

/**
 * How often visitors asked, the keys that sign challenges, and the proofs that were spent: of this process
 * (`memory-admission-store.ts`), or of all servers (`postgres-admission-store.ts`). A key dies with the memory of what
 * was spent under it, so what is forgotten cannot be used again.
 */
export type AdmissionStore = {
  /** The key for new challenges that expire then; undefined if there is none now. */
  readonly issuingKey: (expiresAtMs: number) => SigningKey | undefined;
  /** The key of challenges that expire then, if there still is one. */
  readonly keyOf: (expiresAtMs: number) => SigningKey | undefined;
  /** Counts one event against each counter, or refuses. The first that refuses keeps those after it from counting. */
  readonly count: (counters: readonly Counter[]) => MaybePromise<LimitDecision>;
  /**
   * Counts, and then spends the proof: of any number of parallel calls with one proof, one is accepted. One that is
   * known to be used or invalid counts against nobody.
   */
  readonly redeem: (counters: readonly Counter[], proof: SignedProof) => MaybePromise<RedeemOutcome>;
  /** How long `count` will refuse, as far as is known without asking anybody. Counts nothing. */
  readonly knownWaitMs: (counters: readonly Counter[]) => number;
};

/** Challenges that expire in the same span have the same key. */
const KEY_SPAN_MS = 60_000;

export const spanOf = (expiresAtMs: number): number => Math.floor(expiresAtMs / KEY_SPAN_MS);

/** Half of the digest that a challenge is. */
export const proofDigest = ({ challengeId }: SignedProof): Buffer =>
  Buffer.from(challengeId.slice(0, 32), 'hex');

/** By how much one event moves the time at which the use so far is paid off (GCRA, "theoretical arrival time"). */
export const stepMs = ({ count, periodMs }: Allowance): number => periodMs / count;

/** How far ahead that time may lie. */
export const mostAheadMs = (allowance: Allowance): number => allowance.burst * stepMs(allowance);

/** Sums of fractions are not exact, less so after weeks of uptime; the last event of a burst must not suffer. */
export const ROUNDING_MS = 0.01;
