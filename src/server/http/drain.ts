import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { ANSWER_MS, IN_TRANSIT_MS } from '#server/deadlines.ts';
import { sleep, type Clock } from '#server/system.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from './error-answer.ts';

export type Drain = ReturnType<typeof createDrain>;

/**
 * Closes the public listener so that every request that reached it is answered.
 *
 * Closing an idle connection would cut off a request that is on its way. So for `delayMs` new connections are still
 * accepted, each for one answer that asks the client to close it, while `/readyz` already says no and a balancer turns
 * elsewhere. Then no new ones are accepted, and only connections that are still idle after that are closed.
 */
export const createDrain = (clock: Clock, delayMs: number) => {
  let draining = false;
  return {
    isDraining: () => draining,
    close: async (server: FastifyInstance): Promise<void> => {
      draining = true;
      if (!server.server.listening) return server.close();
      await sleep(clock, delayMs);
      const allGone = once(server.server, 'close');
      // `server.close` of an HTTP server would close idle connections at once.
      NetServer.prototype.close.call(server.server);
      await sleep(clock, IN_TRANSIT_MS);
      const cancel = clock.after(ANSWER_MS, () => server.server.closeAllConnections());
      await Promise.all([server.close(), allGone]);
      cancel();
    },
  };
};

const RETRY_MS = 2_000;

/** Remembers what is still to be answered, for the case that this process never will. */
export const watchAnswers = (server: Server, deps: ErrorAnswerDeps) => {
  const open = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  return {
    /** Accepts nothing more, and tells all who wait to come back. Resolves once that is sent. */
    abandon: async (): Promise<void> => {
      server.close();
      const { status, headers, content } = toRawErrorAnswer(
        new AppError('overloaded', { retryAfterMs: RETRY_MS }),
        deps,
      );
      const tell = (response: ServerResponse) =>
        new Promise<void>((resolve) => {
          response.once('close', resolve);
          // What has begun can only be broken off.
          if (response.headersSent) response.destroy();
          else response.writeHead(status, { ...headers, connection: 'close' }).end(content);
        });
      await Promise.all([...open].map(tell));
    },
  };
};
