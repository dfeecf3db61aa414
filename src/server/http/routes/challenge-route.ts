import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { ChallengeSchema } from '#shared/contract/challenge.ts';
import { apiRoute, GET_ERRORS } from '../api-route.ts';
import type { ProofGate } from '../proof-gate.ts';
import { isFromOwnSite } from '../request-origin.ts';

export const registerChallengeRoute = (server: FastifyInstance, { issueChallenge }: ProofGate): void => {
  server.route({
    ...apiRoute('/challenge', {
      id: 'getChallenge',
      summary: 'A puzzle to solve before each POST',
      description:
        'Find the number from 0 to maxnumber for which the SHA-256 of the salt followed by the number, in hex, equals the challenge. The salt contains the expiry time.',
      answers: { 200: ChallengeSchema },
      errors: [...GET_ERRORS, 'cross-site', 'store-unavailable', 'visitor-limit'],
    }),
    // A page of another site could use up its visitors' allowance here, though it cannot read the answer.
    onRequest: (request, _reply, done) =>
      done(isFromOwnSite(request.headers) ? undefined : new AppError('cross-site')),
    handler: issueChallenge,
  });
};
