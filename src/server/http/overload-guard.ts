import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from './error-answer.ts';
import { OVERLOAD_RETRY_MS, type Overload } from './overload.ts';

export type OverloadGuardDeps = {
  readonly overload: Overload;
  readonly errors: ErrorAnswerDeps;
  /** Serving them costs no more than refusing. */
  readonly cheapPaths: ReadonlySet<string>;
  readonly isDraining: () => boolean;
};

/** Kept on the request: a WeakSet would cost each of them half a microsecond. */
type CountedRequest = FastifyRequest & { isInFlight?: boolean };

/**
 * Refuses requests under overload before anything is done for them. The refusal is prepared once and written past the
 * framework, because under overload most of the work is refusing.
 *
 * Returns a function that ends a request's share of the load. Call it when the request is answered, not when all of the
 * answer has been sent: a client that does not read must not keep others out.
 */
export const guardAgainstOverload = (
  server: FastifyInstance,
  { overload, errors, cheapPaths, isDraining }: OverloadGuardDeps,
): ((request: FastifyRequest) => void) => {
  const error = new AppError('overloaded', { retryAfterMs: OVERLOAD_RETRY_MS });
  const { status, content, headers } = toRawErrorAnswer(error, errors);
  const lastHeaders = { ...headers, connection: 'close' };
  server.addHook('onRequest', (request, reply, done) => {
    if (overload.admits() || cheapPaths.has(request.url)) return done();
    errors.events.requestRefused('overloaded');
    errors.events.requestAnswered(undefined, status, 0);
    reply.hijack();
    reply.raw.writeHead(status, isDraining() ? lastHeaders : headers).end(content);
  });

  const end = (request: CountedRequest): void => {
    if (request.isInFlight !== true) return;
    request.isInFlight = false;
    overload.end();
  };
  // Once the body has arrived: a client that sends it slowly must not keep others out.
  server.addHook('preValidation', (request: CountedRequest, reply, done) => {
    if (!reply.raw.destroyed && !cheapPaths.has(request.url)) {
      overload.begin();
      request.isInFlight = true;
      reply.raw.on('close', () => end(request));
    }
    done();
  });
  return end;
};
