import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';

/** Exactly these: parsers disagree about what else counts as JSON, and that is how checks get passed by. */
const JSON_TYPES = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);
/** Browsers say where a request comes from; other clients say nothing. */
const OWN_SITES = new Set<string | string[] | undefined>([undefined, 'same-origin', 'none']);

/** For routes that act: JSON only, and not on behalf of a page of another site. */
export const jsonFromSameOrigin = (
  request: FastifyRequest,
  _reply: unknown,
  done: (error?: Error) => void,
): void => {
  const { 'sec-fetch-site': site, 'content-type': type } = request.headers;
  if (!OWN_SITES.has(site)) return done(new AppError('cross-site'));
  if (type === undefined || !JSON_TYPES.has(type.toLowerCase()))
    return done(new AppError('unsupported-media-type'));
  done();
};
