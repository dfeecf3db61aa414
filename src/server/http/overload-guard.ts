import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { toErrorAnswer } from './error-answer.ts';
import type { ErrorSentences } from './error-sentences.ts';
import { OVERLOAD_RETRY_MS, type Overload } from './overload.ts';

export type OverloadGuardDeps = {
  readonly overload: Overload;
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sentences: ErrorSentences;
  /** Addresses that cost no more to serve than to refuse. */
  readonly cheapPaths: ReadonlySet<string>;
  readonly isDraining: () => boolean;
  readonly onRefused: () => void;
};

/**
 * Turns requests away before anything is done for them. The answer is made once and written past the framework,
 * because under overload most of the work is refusing.
 */
export const guardAgainstOverload = (server: FastifyInstance, deps: OverloadGuardDeps): void => {
  const { overload, cheapPaths, isDraining, onRefused } = deps;
  const error = new AppError('overloaded', { retryAfterMs: OVERLOAD_RETRY_MS });
  const { status, body } = toErrorAnswer(error, deps.sentences);
  const content = Buffer.from(JSON.stringify(body));
  const headers = Object.entries({
    ...deps.headers,
    'retry-after': String(body.retry_after),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(content.length),
  }).flat();
  const lastHeaders = [...headers, 'connection', 'close'];

  server.addHook('onRequest', (request, reply, done) => {
    if (overload.admits() || cheapPaths.has(request.url)) return done();
    onRefused();
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
  // Not only when all is sent: whoever does not read the answer must not keep the place either.
  server.addHook('onSend', async (request) => leave.get(request)?.());
};
