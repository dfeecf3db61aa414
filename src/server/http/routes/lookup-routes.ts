import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '#server/visitors/admission.ts';
import { AppError } from '#server/app-error.ts';
import type { Lookup, LookupResult } from '#server/lookup/lookup.ts';
import type { Events } from '#server/observability/events.ts';
import type { Pictures } from '#server/pictures/pictures.ts';
import type { Clock } from '#server/system.ts';
import { ChallengeSchema } from '#shared/contract/challenge.ts';
import { errorCodesAbout } from '#shared/contract/errors.ts';
import {
  LookupBodySchema,
  NotFoundSchema,
  ProfileAnswerSchema,
  type Profile,
  type ProfileAnswer,
} from '#shared/contract/profile.ts';
import { PICTURE_PATH } from '#shared/paths.ts';
import { parseSnowflake } from '#shared/snowflake.ts';
import { apiRoute, GET_ERRORS, onlyFromOwnSite, POST_ERRORS, type ApiOperation } from '../api-route.ts';
import { reportAndRethrow } from '../error-answer.ts';

export type VisitorDeps = {
  readonly admission: Admission;
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
    onRequest: onlyFromOwnSite,
    handler: (request) => admission.issueChallenge(addressOf(request)),
  });
};

type Found = Extract<LookupResult, { kind: 'found' }>;

type LookupRouteDeps = VisitorDeps & {
  readonly clock: Clock;
  readonly lookUpProfile: Lookup['lookUpProfile'];
  readonly pictures: Pictures;
  readonly events: Events;
};

const LOOKUP: ApiOperation = {
  id: 'lookUp',
  summary: 'The public Discord profile behind a user ID',
  body: LookupBodySchema,
  answers: { 200: ProfileAnswerSchema, 404: NotFoundSchema },
  errors: [...POST_ERRORS, ...errorCodesAbout('id', 'platform', 'pool'), 'proof-missing'],
};

export const registerLookupRoute = (server: FastifyInstance, deps: LookupRouteDeps): void => {
  const { clock, admission, addressOf, lookUpProfile, pictures, events } = deps;
  const reportRefusal = reportAndRethrow(events.lookupRefused);

  /** A third of the CPU time of a cached lookup would go into making its answer again. */
  const answers = new WeakMap<Profile, string>();
  const answerOf = ({ profile, ageMs }: Found, reply: FastifyReply): ProfileAnswer | string => {
    const known = answers.get(profile);
    if (known !== undefined) return known;
    const answer: ProfileAnswer = {
      ...profile,
      looked_up_at: new Date(clock.wallMs() - ageMs).toISOString(),
      pictures: pictures.addressesOf(profile),
    };
    if (ageMs > 0) answers.set(profile, reply.serialize(answer) as string);
    return answer;
  };

  server.route<{ Body: { discord_id?: string; proof?: string } }>({
    ...apiRoute('/lookup', LOOKUP),
    handler: async (request, reply) => {
      const parsed = parseSnowflake(request.body.discord_id ?? '', clock.wallMs());
      if (!parsed.ok) throw new AppError(`id-${parsed.problem}`);
      const { proof = '' } = request.body;
      if (proof === '') throw new AppError('proof-missing');
      const ticket = await admission.redeem(proof, 'lookup', addressOf(request));
      const result = await lookUpProfile(parsed.id, ticket, () => visitorLeft(reply)).catch(reportRefusal);
      events.lookupAnswered(result.kind);
      if (result.kind === 'not-found') return reply.code(404).send(result.body);
      if (result.ageMs >= 1_000) reply.header('age', Math.floor(result.ageMs / 1_000));
      reply.type('application/json; charset=utf-8');
      return answerOf(result, reply);
    },
  });
};

const visitorLeft = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
};

/** For the visitor's browser only: the address is not secret, but shared caches have no use for it. */
const CACHE_CONTROL = 'private, max-age=21600, immutable';

export const registerPictureRoute = (
  server: FastifyInstance,
  pictures: Pictures,
  addressOf: VisitorDeps['addressOf'],
): void => {
  server.get(`${PICTURE_PATH}*`, {
    // The picture would be fetched only to be thrown away.
    exposeHeadRoute: false,
    onRequest: onlyFromOwnSite,
    handler: async (request, reply) => {
      const { type, length, body } = await pictures.get(request.url, addressOf(request));
      reply.header('cache-control', CACHE_CONTROL).type(type);
      if (length !== undefined) reply.header('content-length', length);
      return reply.send(body);
    },
  });
};
