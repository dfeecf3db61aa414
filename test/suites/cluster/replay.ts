import { setTimeout as delay } from 'node:timers/promises';
import { distinctIds } from '#test/support/many-lookups.ts';
import type { Answer, Visitors } from '../load/visitors.ts';

/** What an answer to a lookup says of its proof; unknown if it was not looked at, or nobody could tell. */
export type ProofFate = 'accepted' | 'refused' | 'unknown';

/** Codes of lookups that failed after the proof was spent. */
const AFTER_THE_PROOF = /^(?:pool|platform)-/;

/** A profile, or the answer that there is none. */
export const isAnswered = ({ status, code }: Answer): boolean =>
  code === undefined && (status === 200 || status === 404);

export const fateOf = (answer: Answer): ProofFate => {
  if (isAnswered(answer) || AFTER_THE_PROOF.test(answer.code ?? '')) return 'accepted';
  return answer.code?.startsWith('proof-') === true ? 'refused' : 'unknown';
};

const LANES = 32;
const TRIES = 20;
const BETWEEN_TRIES_MS = 250;
const [SOMEBODY = ''] = distinctIds(1);

const fateOfReplay = async (visitors: Visitors, proof: string): Promise<ProofFate> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const fate = await visitors
      .next()
      .send('/lookup', { discord_id: SOMEBODY, proof })
      .then(fateOf, () => 'unknown' as const);
    if (fate !== 'unknown') return fate;
    await delay(BETWEEN_TRIES_MS);
  }
  return 'unknown';
};

/** Sends proofs that were accepted before once more, each until it is accepted or refused. */
export const replay = async (
  visitors: Visitors,
  proofs: readonly string[],
): Promise<Readonly<Record<ProofFate, number>>> => {
  const fates = { accepted: 0, refused: 0, unknown: 0 };
  const rest = proofs.values();
  const runLane = async (): Promise<void> => {
    for (const proof of rest) fates[await fateOfReplay(visitors, proof)] += 1;
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  return fates;
};
