import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admission } from '#server/admission/admission.ts';
import { AppError } from '#server/app-error.ts';
import { ChallengeSchema } from '#shared/contract/challenge.ts';
import { apiRoute, GET_ERRORS } from '../api-route.ts';
import { isFromOwnSite } from '../request-origin.ts';

/** What a route needs to ask whether a visitor may act. */
export type VisitorDeps = {
  readonly admission: Admission;
  /** The address that a request counts against. */
  readonly addressOf: (request: FastifyRequest) => string;
};

export const registerChallengeRoute = (
  server: FastifyInstance,
  { admission, addressOf }: VisitorDeps,
): void => {
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
    handler: (request) => admission.issueChallenge(addressOf(request)),
  });
};
