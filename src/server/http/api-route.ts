import type { FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { AppError } from '#server/app-error.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { API_METHODS, type ApiPath } from '#shared/paths.ts';
import { isFromOwnSite } from './request-origin.ts';

/** What a route does for programs: the route goes by it, and the OpenAPI document is made from it. */
export type ApiOperation = {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: TObject;
  /** By status. The schemas say what they mean, and their titles are their names in the document. */
  readonly answers: Readonly<Record<number, TSchema>>;
  readonly errors: readonly ErrorCode[];
};

/** How any request can fail, and any that acts. */
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

/** Exactly these: parsers disagree about what else counts as JSON, and that is how checks get passed by. */
const JSON_TYPES = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);

/** The options of a route, to which only the handler is to be added. */
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

/** A missing field gets the sentence that the screen shows, so the schema only bounds and the handler requires. */
const withoutRequired = ({ type, properties }: TObject) => ({
  type,
  properties,
  additionalProperties: false,
});

/** JSON only, and not on behalf of a page of another site. */
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
