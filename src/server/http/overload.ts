import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { Clock } from '#server/system.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from './error-answer.ts';

export type Overload = ReturnType<typeof createOverload>;

export const OVERLOAD_RETRY_MS = 2_000;
const MAX_IN_FLIGHT = 2_000;
const TIMER_MS = 50;
/** A single pause, for garbage collection or another process, is not overload. */
const MAX_FIRST_LAG_MS = 1_000;
const MAX_REPEATED_LAG_MS = 200;
/** Refusing takes time too: if clients come back at once, it must not take the time that accepted requests need. */
const LONGEST_REFUSAL_MS = 30;

/** The event loop runs its timers after all requests that have arrived: a late one tells how long they kept it busy. */
export const createOverload = (clock: Clock, maxInFlight = MAX_IN_FLIGHT) => {
  let inFlight = 0;
  let refusedMs = -Infinity;
  let timerDueMs: number | null = null;
  let maxLagMs = MAX_FIRST_LAG_MS;

  const startTimer = (dueMs: number): void => {
    timerDueMs = dueMs;
    clock.after(TIMER_MS, () => {
      const wasLate = clock.monotonicMs() - dueMs > MAX_REPEATED_LAG_MS;
      maxLagMs = wasLate ? MAX_REPEATED_LAG_MS : MAX_FIRST_LAG_MS;
      timerDueMs = null;
    });
  };

  const isLagging = (nowMs: number): boolean => {
    if (timerDueMs === null) {
      startTimer(nowMs + TIMER_MS);
      return false;
    }
    const excessMs = nowMs - timerDueMs - maxLagMs;
    if (excessMs <= LONGEST_REFUSAL_MS) return excessMs > 0;
    // With very many ready connections the loop may not reach its timers for seconds: the lag is measured from here on.
    timerDueMs = nowMs + TIMER_MS;
    maxLagMs = MAX_REPEATED_LAG_MS;
    return false;
  };

  return {
    admits: (): boolean => {
      const nowMs = clock.monotonicMs();
      const refused = isLagging(nowMs) || inFlight >= maxInFlight;
      if (refused) refusedMs = nowMs;
      return !refused;
    },
    begin: () => {
      inFlight += 1;
    },
    end: () => {
      inFlight -= 1;
    },
    isShedding: () => clock.monotonicMs() - refusedMs < OVERLOAD_RETRY_MS,
  };
};

export const overloaded = (): AppError => new AppError('overloaded', { retryAfterMs: OVERLOAD_RETRY_MS });

type OverloadGuardDeps = {
  readonly overload: Overload;
  readonly errors: ErrorAnswerDeps;
  /** Serving them costs no more than refusing. */
  readonly cheapPaths: ReadonlySet<string>;
  readonly isDraining: () => boolean;
};

type CountedRequest = FastifyRequest & { isInFlight?: boolean };

/** What it returns is called at the answer, not when all is sent: a client that does not read must not keep others out. */
export const guardAgainstOverload = (
  server: FastifyInstance,
  { overload, errors, cheapPaths, isDraining }: OverloadGuardDeps,
): ((request: FastifyRequest) => void) => {
  const { status, content, headers } = toRawErrorAnswer(overloaded(), errors);
  const lastHeaders = { ...headers, connection: 'close' };
  server.addHook('onRequest', (request, reply, done) => {
    if (overload.admits() || cheapPaths.has(request.url)) return done();
    errors.events.requestRefused('overloaded');
    errors.events.requestAnswered(undefined, status, 0);
    // Past the framework: under overload most of the work is refusing.
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
