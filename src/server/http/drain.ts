import { once } from 'node:events';
import { Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ANSWER_MS, IN_TRANSIT_MS } from '#server/deadlines.ts';
import { sleep, type Clock } from '#server/system.ts';

export type Drain = ReturnType<typeof createDrain>;

/**
 * Ends the public listener so that everybody who got through to it also gets an answer.
 *
 * Closing a connection while it idles cuts off a request that is just on its way. So first every answer asks the client
 * to close, and a balancer has time to look elsewhere; then nobody new is let in; and only what still idles after that
 * is closed. For `delayMs` connections are still taken, each for one answer, while `/readyz` already says no.
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
      // The method of an HTTP server would close what idles at the same time.
      NetServer.prototype.close.call(server.server);
      await sleep(clock, IN_TRANSIT_MS);
      const cancel = clock.after(ANSWER_MS, () => server.server.closeAllConnections());
      await Promise.all([server.close(), allGone]);
      cancel();
    },
  };
};
