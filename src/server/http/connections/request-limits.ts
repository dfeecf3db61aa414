import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Events } from '#server/observability/events.ts';
import type { CountedSocket } from './address-limit.ts';
import { isBusy, isFull } from './serialize-pipelining.ts';
import type { RequestRefusal } from './unreadable-request.ts';

export const BODY_LIMIT_BYTES = 4_096;
/** Browsers send about twenty, proxies a few more. */
const MAX_HEADER_LINES = 100;

export type RequestLimitDeps = {
  /** Writes an answer past the framework and closes. */
  readonly refuse: (error: { readonly code: RequestRefusal }, socket: Socket) => void;
  readonly events: Pick<Events, 'connectionClosed'>;
};

/** `parser` is Node's own. */
type ParsedSocket = Socket & {
  readonly parser?: { onIncoming: (request: IncomingMessage, keepAlive: boolean) => number } | null;
};

/** What `onIncoming` returns when the connection no longer speaks HTTP, as after an upgrade. */
const STOP_PARSING = 2;

/**
 * Node parses everything that one read of a connection brings, up to 64 KiB, before it looks at any other connection,
 * even if this one has been closed. Small requests or chunks of a byte each would keep it busy for 50 to 100 ms. So the
 * parser stops at the first head that asks for too much: too many requests, too many headers, or a body that is too
 * large or does not tell its length.
 */
export const limitRequests = (server: Server, { refuse, events }: RequestLimitDeps): void => {
  const isAccepted = (request: IncomingMessage, socket: CountedSocket): boolean => {
    if (!socket.writable) {
      socket.destroySoon();
      return false;
    }
    if (isFull(socket)) {
      events.connectionClosed('pipelining');
      socket.isMisused = true;
      socket.destroy();
      return false;
    }
    const code = refusalOf(request);
    if (code === undefined) return true;
    // The answer would come before those to earlier requests.
    if (isBusy(socket)) socket.destroy();
    else refuse({ code }, socket);
    return false;
  };
  server.on('connection', ({ parser }: ParsedSocket) => {
    if (!parser) return;
    const handOver = parser.onIncoming;
    parser.onIncoming = (request, keepAlive) =>
      isAccepted(request, request.socket) ? handOver(request, keepAlive) : STOP_PARSING;
  });
};

const refusalOf = ({ headers, rawHeaders }: IncomingMessage): RequestRefusal | undefined => {
  if (rawHeaders.length > 2 * MAX_HEADER_LINES) return 'HPE_HEADER_OVERFLOW';
  if (headers['transfer-encoding'] !== undefined) return 'LENGTH_REQUIRED';
  if (Number(headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) return 'BODY_TOO_LARGE';
  return undefined;
};
