import type { KeyObject } from 'node:crypto';
import type { MaybePromise } from '#server/system.ts';

export type Allowance = { readonly count: number; readonly periodMs: number; readonly burst: number };

/** Two at most. */
export type Allowances = readonly [Allowance, ...Allowance[]];

/** Whom an event counts against, as a keyed digest in hex; each allowance must agree. */
export type Counter = { readonly key: string; readonly allowances: Allowances };

export type LimitRefusal = { readonly allowed: false; readonly retryAfterMs: number };
export type LimitDecision = { readonly allowed: true; readonly pressure: number } | LimitRefusal;

export type SigningKey = { readonly id: string; readonly secret: KeyObject };

export type SignedProof = { readonly challengeId: string; readonly keyId: string };

/** `invalid`: its key is lost. `unavailable`: the memory is full, and an unexpired proof is never forgotten. */
type RedeemOutcome = 'accepted' | 'used' | 'invalid' | 'unavailable' | LimitRefusal;

/** A key dies with the memory of what was spent under it, so what is forgotten cannot be used again. */
export type AdmissionStore = {
  readonly issuingKey: (expiresAtMs: number) => SigningKey | undefined;
  readonly keyOf: (expiresAtMs: number) => SigningKey | undefined;
  readonly count: (counters: readonly Counter[]) => MaybePromise<LimitDecision>;
  /** Of parallel calls with one proof, one is accepted. A used or invalid proof counts against nobody. */
  readonly redeem: (counters: readonly Counter[], proof: SignedProof) => MaybePromise<RedeemOutcome>;
  readonly knownWaitMs: (counters: readonly Counter[]) => number;
};

/** How long a challenge can be solved. */
export const CHALLENGE_MS = 300_000;

export const KEY_SPAN_MS = 60_000;

export const spanOf = (expiresAtMs: number): number => Math.floor(expiresAtMs / KEY_SPAN_MS);

/** Half of its hex is plenty. */
export const proofDigest = ({ challengeId }: SignedProof): string => challengeId.slice(0, 32);

/** By how much one event moves the time at which the use so far is paid off (GCRA). */
export const stepMs = ({ count, periodMs }: Allowance): number => periodMs / count;

export const mostAheadMs = (allowance: Allowance): number => allowance.burst * stepMs(allowance);

/** Sums of fractions are not exact, less so after weeks of uptime; the last event of a burst must not suffer. */
export const ROUNDING_MS = 0.01;
