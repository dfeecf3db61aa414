import { once } from 'node:events';
import { Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ANSWER_MS, IN_TRANSIT_MS } from '#server/deadlines.ts';
import { sleep, type Clock } from '#server/system.ts';

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
