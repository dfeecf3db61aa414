import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { Captcha } from '#server/captcha/captcha.ts';
import type { Events } from '#server/observability/events.ts';
import type { VisitorLimits } from '#server/visitors/visitor-limits.ts';
import { ChallengeSchema } from '#shared/contract/challenge.ts';
import { apiRoute, GET_ERRORS } from '../api-route.ts';
import type { AddressOf } from '../http-server.ts';

export type ChallengeRouteDeps = {
  readonly captcha: Captcha;
  readonly visitors: VisitorLimits;
  readonly addressOf: AddressOf;
  readonly events: Events;
};

export const registerChallengeRoute = (server: FastifyInstance, deps: ChallengeRouteDeps): void => {
  const { captcha, visitors, addressOf, events } = deps;
  server.route({
    ...apiRoute('/challenge', {
      id: 'getChallenge',
      summary: 'A puzzle to solve before a request that acts',
      description:
        'Find the number from 0 to maxnumber for which the SHA-256 of the salt followed by the number, in hex, is the challenge. The salt tells when it expires.',
      answers: { 200: ChallengeSchema },
      errors: [...GET_ERRORS, 'visitor-limit'],
    }),
    handler: async (request) => {
      const decision = await visitors.admit('challenge', addressOf(request));
      if (!decision.allowed) throw new AppError('visitor-limit', { retryAfterMs: decision.retryAfterMs });
      events.challengeIssued();
      return captcha.issue(decision.pressure);
    },
  });
};
