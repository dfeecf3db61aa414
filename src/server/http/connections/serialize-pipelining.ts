import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Events } from '#server/observability/events.ts';

/** More than any client needs, and few enough that ten thousand such connections do no harm. */
export const MAX_WAITING_REQUESTS = 7;

/** Kept on the socket: a WeakMap would cost each request half a microsecond. `parser` is Node's own. */
type TrackedSocket = Socket & {
  newest?: ServerResponse;
  waiting?: number;
  parser?: { onIncoming: () => number } | null;
};

/** What `onIncoming` returns when the connection no longer speaks HTTP, as after an upgrade. */
const STOP_PARSING = 2;

/**
 * Node parses everything that one read of a connection brings, up to 64 KiB, and hands over every request in it at once,
 * whether or not the answers are read. Here a connection's next request starts when its previous answer has been sent,
 * and a connection with too many waiting requests is closed.
 */
export const serializePipelining =
  (answer: RequestListener, events: Pick<Events, 'connectionClosed'>): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) => {
    const socket: TrackedSocket = request.socket;
    const previous = socket.newest;
    socket.newest = response;
    if (previous === undefined || previous.closed) return answer(request, response);

    const waiting = socket.waiting ?? 0;
    if (waiting === MAX_WAITING_REQUESTS) {
      events.connectionClosed('pipelining');
      return stop(socket);
    }
    socket.waiting = waiting + 1;
    previous.once('close', () => {
      socket.waiting = (socket.waiting ?? 1) - 1;
      if (!socket.destroyed) answer(request, response);
    });
  };

/** Closing alone would let Node go on with the rest of what was read: 100 ms for 64 KiB of small requests. */
const stop = (socket: TrackedSocket): void => {
  socket.destroy();
  if (socket.parser) socket.parser.onIncoming = () => STOP_PARSING;
};
