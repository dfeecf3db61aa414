import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '#server/app-error.ts';
import type { LookUpProfile } from '#server/lookup/lookup.ts';
import type { Events } from '#server/observability/events.ts';
import type { Clock } from '#server/system.ts';
import { ProofSchema } from '#shared/contract/challenge.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { NotFoundSchema, ProfileSchema, type Profile } from '#shared/contract/profile.ts';
import { parseSnowflake, type Snowflake, type SnowflakeProblem } from '#shared/snowflake.ts';
import { tellCode } from '../error-handler.ts';
import type { ProofGate } from '../proof-gate.ts';
import { jsonFromSameOrigin } from '../request-guards.ts';

export type LookupRouteDeps = {
  readonly clock: Clock;
  readonly passProof: ProofGate;
  readonly lookUpProfile: LookUpProfile;
  readonly events: Events;
  /** The request's field for the id, named after the platform. */
  readonly idField: string;
};

const CODE_OF_PROBLEM = {
  missing: 'id-missing',
  malformed: 'id-malformed',
  zero: 'id-zero',
  'too-large': 'id-too-large',
  future: 'id-future',
} as const satisfies Record<SnowflakeProblem, ErrorCode>;

const ID = Type.String({ description: 'The user ID; a mention or a link to the profile will do.' });

/** A missing field gets the sentence that the screen shows, so the schema only bounds and the handler requires. */
export const lookupBody = (idField: string) =>
  Type.Object(
    { [idField]: Type.Optional(ID), proof: Type.Optional(ProofSchema) },
    { additionalProperties: false },
  );

export const registerLookupRoute = (server: FastifyInstance, deps: LookupRouteDeps): void => {
  const { clock, passProof, lookUpProfile, events, idField } = deps;
  const schema = { body: lookupBody(idField), response: { 200: ProfileSchema, 404: NotFoundSchema } };

  const readId = (text: string): Snowflake => {
    const parsed = parseSnowflake(text, clock.wallMs());
    if (!parsed.ok) throw new AppError(CODE_OF_PROBLEM[parsed.problem]);
    return parsed.id;
  };

  const bodies = new WeakMap<Profile, Buffer>();
  /** Cached profiles are asked for again and again, so the text, cut to the schema, is made once for each. */
  const bodyOf = (profile: Profile, reply: FastifyReply): Buffer => {
    const known = bodies.get(profile);
    if (known !== undefined) return known;
    const made = Buffer.from(reply.serialize(profile) as string);
    bodies.set(profile, made);
    return made;
  };

  server.post<{ Body: Readonly<Record<string, string | undefined>> }>(
    '/lookup',
    { schema, onRequest: jsonFromSameOrigin },
    async (request, reply) => {
      const id = readId(request.body[idField] ?? '');
      const proof = request.body['proof'] ?? '';
      if (proof === '') throw new AppError('proof-missing');
      await passProof(request, 'lookup', proof);
      const result = await lookUpProfile(id, () => whenGone(reply)).catch(tellCode(events.lookupRefused));
      events.lookupAnswered(result.kind);
      if (result.kind === 'not-found') return reply.code(404).send(result.body);
      if (result.ageMs >= 1_000) reply.header('age', Math.floor(result.ageMs / 1_000));
      reply.type('application/json; charset=utf-8');
      return bodyOf(result.profile, reply);
    },
  );
};

const whenGone = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
};
