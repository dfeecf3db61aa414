import type { FastifyInstance } from 'fastify';
import { ANSWER_MS } from '#server/deadlines.ts';
import { sleep, type Clock } from '#server/system.ts';

type DrainDeps = { readonly clock: Clock; readonly stopDelayMs: number };

export const createDrain = (server: FastifyInstance, { clock, stopDelayMs }: DrainDeps) => {
  let draining = false;
  return {
    isDraining: () => draining,
    close: async (): Promise<void> => {
      draining = true;
      // A balancer turns elsewhere, as `/readyz` says no, and each answer asks to close its connection.
      if (server.server.listening) await sleep(clock, stopDelayMs);
      const cancel = clock.after(ANSWER_MS, () => server.server.closeAllConnections());
      await server.close();
      cancel();
    },
  };
};
