import type { FastifyInstance } from 'fastify';
import { ChallengeSchema } from '#shared/contract/challenge.ts';
import { apiRoute, GET_ERRORS } from '../api-route.ts';
import type { ProofGate } from '../proof-gate.ts';

export const registerChallengeRoute = (server: FastifyInstance, { issueChallenge }: ProofGate): void => {
  server.route({
    ...apiRoute('/challenge', {
      id: 'getChallenge',
      summary: 'A puzzle to solve before a request that acts',
      description:
        'Find the number from 0 to maxnumber for which the SHA-256 of the salt followed by the number, in hex, is the challenge. The salt tells when it expires.',
      answers: { 200: ChallengeSchema },
      errors: [...GET_ERRORS, 'visitor-limit'],
    }),
    handler: issueChallenge,
  });
};
