import type { FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { AppError } from '#server/app-error.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { API_METHODS, type ApiPath } from '#shared/paths.ts';
import { isFromOwnSite } from './request-origin.ts';

/** Describes a route: both the route itself and its part of the OpenAPI document are made from it. */
export type ApiOperation = {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: TObject;
  /** By status. The title of a schema is its name in the document. */
  readonly answers: Readonly<Record<number, TSchema>>;
  readonly errors: readonly ErrorCode[];
};

/** How any GET and any POST can fail. */
export const GET_ERRORS = ['bad-request', 'internal', 'overloaded'] as const satisfies ErrorCode[];
export const POST_ERRORS = [
  ...GET_ERRORS,
  'body-too-large',
  'captcha-unavailable',
  'cross-site',
  'proof-expired',
  'proof-invalid',
  'proof-used',
  'store-unavailable',
  'unsupported-media-type',
  'visitor-limit',
] as const satisfies ErrorCode[];

/** Exactly these: parsers disagree about what else counts as JSON, which is how checks are bypassed. */
const JSON_TYPES = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);

/** All options of a route but the handler. */
export const apiRoute = (path: ApiPath, operation: ApiOperation) => ({
  method: API_METHODS[path],
  url: path,
  config: { operation },
  schema: {
    response: operation.answers,
    ...(operation.body !== undefined && { body: withoutRequired(operation.body) }),
  },
  ...(operation.body !== undefined && { onRequest: jsonFromSameOrigin }),
});

/** The handler checks for missing fields, so that each gets the sentence that the screen shows. */
const withoutRequired = ({ type, properties }: TObject) => ({
  type,
  properties,
  additionalProperties: false,
});

/** Accepts JSON only, and nothing from another site's page. */
export const jsonFromSameOrigin = (
  request: FastifyRequest,
  _reply: unknown,
  done: (error?: Error) => void,
): void => {
  const { 'content-type': type } = request.headers;
  if (!isFromOwnSite(request.headers)) return done(new AppError('cross-site'));
  if (type === undefined || !JSON_TYPES.has(type.toLowerCase()))
    return done(new AppError('unsupported-media-type'));
  done();
};
