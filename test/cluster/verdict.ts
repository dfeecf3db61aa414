import type { Answer } from '#test/soak/visitor.ts';

/** What an answer to a lookup says of the proof that came with it. */
export type ProofFate =
  /** The lookup was gone about, whatever came of it. */
  | 'accepted'
  | 'refused'
  /** It was not looked at, or nobody could tell. */
  | 'unknown';

/** Codes of lookups that failed after the proof was spent. */
const AFTER_THE_PROOF = /^(?:pool|platform)-/;

export const fateOf = ({ status, code }: Answer): ProofFate => {
  if (code === undefined) return status === 200 || status === 404 ? 'accepted' : 'unknown';
  if (AFTER_THE_PROOF.test(code)) return 'accepted';
  return code.startsWith('proof-') ? 'refused' : 'unknown';
};

/** An answer that is what the visitor came for. */
export const isAnswered = ({ status, code }: Answer): boolean =>
  code === undefined && (status === 200 || status === 404);
