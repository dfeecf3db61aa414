import { createSecretKey, type KeyObject } from 'node:crypto';
import type { System } from '#server/system.ts';

export type SigningKey = { readonly id: string; readonly secret: KeyObject };

export type SignedProof = { readonly challengeId: string; readonly keyId: string };

/** `invalid`: its key is lost. `unavailable`: the memory is full, and an unexpired proof is never forgotten. */
export type SpendOutcome = 'accepted' | 'used' | 'invalid' | 'unavailable';

/** A key dies with the memory of what was spent under it, so what is forgotten cannot be used again. */
export type SpentProofs = {
  readonly issuingKey: (expiresAtMs: number) => SigningKey | undefined;
  readonly keyOf: (expiresAtMs: number) => SigningKey | undefined;
  /** Of parallel calls with one proof, one is accepted. */
  readonly spend: (proof: SignedProof) => SpendOutcome | Promise<SpendOutcome>;
};

/** How long a challenge can be solved. */
export const CHALLENGE_MS = 300_000;

export const KEY_SPAN_MS = 60_000;

export const spanOf = (expiresAtMs: number): number => Math.floor(expiresAtMs / KEY_SPAN_MS);

/** Half of its hex is plenty. */
export const proofDigest = ({ challengeId }: SignedProof): string => challengeId.slice(0, 32);

/** About 27 MB of ids, or 800 proofs a second that live 300 s each. */
export const CAPACITY = 500_000;
const SPANS_KEPT = 1;
const SPANS_AHEAD = 62;

type Page = SigningKey & { readonly spent: Set<string> };

/** In memory: for a site of one server. */
export const createSpentProofs = ({ clock, random }: System, capacity = CAPACITY): SpentProofs => {
  const pages = new Map<number, Page>();

  const addPage = (span: number): Page => {
    const now = spanOf(clock.wallMs());
    for (const old of pages.keys()) if (old < now - SPANS_KEPT || old > now + SPANS_AHEAD) pages.delete(old);
    const id = random.bytes(8).toString('hex');
    const page = { id, secret: createSecretKey(random.bytes(32)), spent: new Set<string>() };
    pages.set(span, page);
    return page;
  };
  const spentCount = (): number => pages.values().reduce((count, { spent }) => count + spent.size, 0);

  return {
    issuingKey: (expiresAtMs) => pages.get(spanOf(expiresAtMs)) ?? addPage(spanOf(expiresAtMs)),
    keyOf: (expiresAtMs) => pages.get(spanOf(expiresAtMs)),
    spend: (proof) => {
      const page = pages.values().find(({ id }) => id === proof.keyId);
      if (page === undefined) return 'invalid';
      // A one-byte string is half the size of the same digest in hex.
      const digest = Buffer.from(proofDigest(proof), 'hex').toString('latin1');
      if (page.spent.has(digest)) return 'used';
      if (spentCount() >= capacity) return 'unavailable';
      page.spent.add(digest);
      return 'accepted';
    },
  };
};
