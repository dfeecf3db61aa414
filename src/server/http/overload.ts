import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { Clock } from '#server/system.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from './error-answer.ts';

const RETRY_MS = 2_000;
const MAX_IN_FLIGHT = 2_000;
const TIMER_MS = 100;
const MAX_LATE_MS = 500;

/** The event loop runs its timers after all requests that have arrived: a late one tells how long they kept it busy. */
const createLateness = (clock: Clock) => {
  let dueMs: number | null = null;
  return (nowMs: number): number => {
    if (dueMs === null) {
      dueMs = nowMs + TIMER_MS;
      clock.after(TIMER_MS, () => (dueMs = null));
    }
    return nowMs - dueMs;
  };
};

type OverloadDeps = {
  readonly clock: Clock;
  readonly errors: ErrorAnswerDeps;
  /** Serving them costs no more than refusing. */
  readonly cheapPaths: ReadonlySet<string>;
  readonly isDraining: () => boolean;
  readonly maxInFlight?: number;
};

export const guardAgainstOverload = (server: FastifyInstance, deps: OverloadDeps) => {
  const { clock, errors, cheapPaths, isDraining, maxInFlight = MAX_IN_FLIGHT } = deps;
  const inFlight = new Set<FastifyRequest>();
  const latenessMs = createLateness(clock);
  let refusedMs = -Infinity;
  const admits = (): boolean => {
    const nowMs = clock.monotonicMs();
    if (latenessMs(nowMs) <= MAX_LATE_MS && inFlight.size < maxInFlight) return true;
    refusedMs = nowMs;
    return false;
  };

  const overloaded = new AppError('overloaded', { retryAfterMs: RETRY_MS });
  const { status, content, headers } = toRawErrorAnswer(overloaded, errors);
  const lastHeaders = { ...headers, connection: 'close' };
  server.addHook('onRequest', (request, reply, done) => {
    if (admits() || cheapPaths.has(request.url)) return done();
    errors.events.requestRefused('overloaded');
    errors.events.requestAnswered(undefined, status, 0);
    // Past the framework: under overload most of the work is refusing.
    reply.hijack();
    reply.raw.writeHead(status, isDraining() ? lastHeaders : headers).end(content);
  });
  // Once the body has arrived: a client that sends it slowly must not keep others out.
  server.addHook('preValidation', (request, reply, done) => {
    if (!reply.raw.destroyed && !cheapPaths.has(request.url)) {
      inFlight.add(request);
      reply.raw.on('close', () => inFlight.delete(request));
    }
    done();
  });
  return {
    isShedding: (): boolean => clock.monotonicMs() - refusedMs < RETRY_MS,
    /** To be called at the answer, not when all is sent: a client that does not read must not keep others out. */
    leave: (request: FastifyRequest): void => void inFlight.delete(request),
  };
};
