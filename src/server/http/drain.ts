import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { ANSWER_MS, IN_TRANSIT_MS } from '#server/deadlines.ts';
import { sleep, type Clock } from '#server/system.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from './error-answer.ts';

const RETRY_MS = 2_000;

export type DrainDeps = ErrorAnswerDeps & { readonly clock: Clock; readonly stopDelayMs: number };

/** How the public listener ends: in good order, or at once. */
export const createDrain = (server: FastifyInstance, deps: DrainDeps) => {
  const { clock, stopDelayMs } = deps;
  const listener = server.server;
  let draining = false;
  /** What is still to be answered. */
  const open = new Set<ServerResponse>();
  listener.on('request', (_request, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });

  return {
    isDraining: () => draining,
    /**
     * Closes the listener so that every request that reached it is answered.
     *
     * Closing an idle connection would cut off a request that is on its way. So for `stopDelayMs` new connections are
     * still accepted, each for one answer that asks the client to close it, while `/readyz` already says no and a
     * balancer turns elsewhere. Then no new ones are accepted, and only connections that are still idle after that are
     * closed.
     */
    close: async (): Promise<void> => {
      draining = true;
      if (!listener.listening) return server.close();
      await sleep(clock, stopDelayMs);
      const allGone = once(listener, 'close');
      // `server.close` of an HTTP server would close idle connections at once.
      NetServer.prototype.close.call(listener);
      await sleep(clock, IN_TRANSIT_MS);
      const cancel = clock.after(ANSWER_MS, () => listener.closeAllConnections());
      await Promise.all([server.close(), allGone]);
      cancel();
    },
    /** Accepts nothing more, and tells all who wait to come back. Resolves once that is sent. */
    abandon: async (): Promise<void> => {
      listener.close();
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
