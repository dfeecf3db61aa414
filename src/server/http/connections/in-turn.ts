import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Events } from '#server/observability/events.ts';

/** More than any client needs, and few enough that ten thousand connections of them do no harm. */
export const MAX_WAITING_REQUESTS = 7;

type Parser = { onIncoming: () => number };
/** Kept on the socket: a WeakMap would cost each request half a microsecond. `parser` is Node's own. */
type Line = Socket & { newest?: ServerResponse; waiting?: number; parser?: Parser | null };

/** What the parser understands as: HTTP ends here. */
const END_OF_HTTP = 2;

/**
 * Node parses all that one read of a connection brings, up to 64 KiB, and would have every request in it answered at
 * once, whether the answers are read or not. Here a connection's next request is begun once its last answer has left
 * for the network, and a connection on which more wait than may is closed.
 */
export const inTurn =
  (answer: RequestListener, events: Pick<Events, 'connectionClosed'>): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) => {
    const line: Line = request.socket;
    const previous = line.newest;
    line.newest = response;
    if (previous === undefined || previous.closed) return answer(request, response);

    const waiting = line.waiting ?? 0;
    if (waiting === MAX_WAITING_REQUESTS) {
      events.connectionClosed('pipelining');
      return stop(line);
    }
    line.waiting = waiting + 1;
    previous.once('close', () => {
      line.waiting = (line.waiting ?? 1) - 1;
      if (!line.destroyed) answer(request, response);
    });
  };

/** Destroying alone would not keep Node from making objects, and then errors, of all else that was read. */
const stop = (line: Line): void => {
  line.destroy();
  if (line.parser) line.parser.onIncoming = () => END_OF_HTTP;
};
