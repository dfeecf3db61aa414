import { setTimeout as delay } from 'node:timers/promises';
import type { Visitors } from '#test/soak/visitor.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { fateOf, type ProofFate } from './verdict.ts';

export type Replay = { readonly tried: number; readonly accepted: number; readonly undecided: number };

const LANES = 32;
const TRIES = 20;
const BETWEEN_TRIES_MS = 250;
const [SOMEBODY = ''] = distinctIds(1);

/** Sends proofs that were accepted before once more, each until somebody says yes or no to it. */
export const replay = async (visitors: Visitors, proofs: readonly string[]): Promise<Replay> => {
  const fates = { accepted: 0, refused: 0, unknown: 0 };
  const rest = proofs.values();

  const fateOfOne = async (proof: string): Promise<ProofFate> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const fate = await visitors
        .next()
        .post('/lookup', { discord_id: SOMEBODY, proof })
        .then(fateOf, () => 'unknown' as const);
      if (fate !== 'unknown') return fate;
      await delay(BETWEEN_TRIES_MS);
    }
    return 'unknown';
  };
  const runLane = async (): Promise<void> => {
    for (const proof of rest) fates[await fateOfOne(proof)] += 1;
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  return { tried: proofs.length, accepted: fates.accepted, undecided: fates.unknown };
};
