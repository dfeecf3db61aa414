import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ANSWER_MS, IN_TRANSIT_MS } from '#server/deadlines.ts';
import { sleep, type Clock } from '#server/system.ts';
import type { BusySocket } from './connections/serialize-pipelining.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from './error-answer.ts';
import { overloaded } from './overload.ts';

type DrainDeps = ErrorAnswerDeps & { readonly clock: Clock; readonly stopDelayMs: number };

export const createDrain = (server: FastifyInstance, deps: DrainDeps) => {
  const { clock, stopDelayMs } = deps;
  const listener = server.server;
  let draining = false;
  // Not of responses: what leaves a set stays reachable from its outgrown tables, until a full garbage collection.
  const connections = new Set<BusySocket>();
  listener.on('connection', (socket: BusySocket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  return {
    isDraining: () => draining,
    close: async (): Promise<void> => {
      draining = true;
      if (!listener.listening) return server.close();
      // A request may be on its way on an idle connection. So each connection still gets one answer, which asks to close
      // it, while `/readyz` already says no and a balancer turns elsewhere.
      await sleep(clock, stopDelayMs);
      const allGone = once(listener, 'close');
      // `server.close` of an HTTP server would close idle connections at once.
      NetServer.prototype.close.call(listener);
      await sleep(clock, IN_TRANSIT_MS);
      const cancel = clock.after(ANSWER_MS, () => listener.closeAllConnections());
      await Promise.all([server.close(), allGone]);
      cancel();
    },
    abandon: async (): Promise<void> => {
      listener.close();
      const { status, headers, content } = toRawErrorAnswer(overloaded(), deps);
      const tell = (response: ServerResponse) =>
        new Promise<void>((resolve) => {
          response.once('close', resolve);
          if (response.headersSent) response.destroy();
          else response.writeHead(status, { ...headers, connection: 'close' }).end(content);
        });
      const answers = [...connections].flatMap(({ answering }) => answering ?? []);
      await Promise.all(answers.filter(({ closed }) => !closed).map(tell));
    },
  };
};
