import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from './error-answer.ts';
import { OVERLOAD_RETRY_MS, type Overload } from './overload.ts';

export type OverloadGuardDeps = {
  readonly overload: Overload;
  readonly errors: ErrorAnswerDeps;
  /** Addresses that cost no more to serve than to refuse. */
  readonly cheapPaths: ReadonlySet<string>;
  readonly isDraining: () => boolean;
};

/**
 * Turns requests away before anything is done for them. The answer is made once and written past the framework,
 * because under overload most of the work is refusing. What it returns is to be called with the answer to a request, and
 * not only when all of it is sent: whoever does not read it must not keep the place.
 */
export const guardAgainstOverload = (
  server: FastifyInstance,
  deps: OverloadGuardDeps,
): ((request: FastifyRequest) => void) => {
  const { overload, errors, cheapPaths, isDraining } = deps;
  const error = new AppError('overloaded', { retryAfterMs: OVERLOAD_RETRY_MS });
  const { status, content, ...answer } = toRawErrorAnswer(error, errors);
  const headers = Object.entries(answer.headers).flat();
  const lastHeaders = [...headers, 'connection', 'close'];

  server.addHook('onRequest', (request, reply, done) => {
    if (overload.admits() || cheapPaths.has(request.url)) return done();
    errors.events.requestRefused('overloaded');
    errors.events.requestAnswered(undefined, status, 0);
    reply.hijack();
    reply.raw.writeHead(status, isDraining() ? lastHeaders : headers).end(content);
  });
  // Not before the body is there: whoever sends it slowly must not take the place of others.
  const leave = new WeakMap<FastifyRequest, () => void>();
  server.addHook('preValidation', (request, reply, done) => {
    if (!reply.raw.destroyed && !cheapPaths.has(request.url)) {
      overload.begin();
      const once = (): void => {
        if (leave.delete(request)) overload.end();
      };
      leave.set(request, once);
      reply.raw.once('close', once);
    }
    done();
  });
  return (request) => leave.get(request)?.();
};
