import { hash } from 'node:crypto';
import type { Challenge } from '#shared/contract/challenge.ts';

export type WidgetProof = Omit<Challenge, 'algorithm' | 'maxnumber'> & {
  algorithm: string;
  number: number;
  took?: number;
};

export const encodeProof = (proof: unknown): string => btoa(JSON.stringify(proof));

/** Solves a challenge as the widget would: the fields in its order, before they are encoded. */
export const solveChallenge = ({
  algorithm,
  challenge,
  salt,
  signature,
  maxnumber,
}: Challenge): WidgetProof => {
  for (let number = 0; number <= maxnumber; number += 1) {
    if (hash('sha256', salt + number) === challenge) {
      return { algorithm, challenge, number, salt, signature, took: 12 };
    }
  }
  throw new Error('The challenge has no solution up to its maxnumber.');
};
