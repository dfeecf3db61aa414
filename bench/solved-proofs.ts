import type { Challenge } from '#shared/contract/challenge.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { getRequest, runLoad } from './http-load.ts';

/** Distinct proofs for challenges of the server itself, spelled as the widget spells them. */
export const solvedProofs = async (port: number, count: number): Promise<string[]> => {
  const challenges: string[] = [];
  const requests = Array.from({ length: count }, () => getRequest('/challenge'));
  await runLoad({ port, requests, onBody: (body) => challenges.push(body) });
  return challenges.map((body) => encodeProof(solveChallenge(JSON.parse(body) as Challenge)));
};
