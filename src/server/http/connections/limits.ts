import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '#server/app-error.ts';
import type { Clock } from '#server/system.ts';
import { parseIpAddress, visitorPrefixes } from '#server/visitors/ip-address.ts';
import type { ProxyTrust } from '../client-ip.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from '../error-answer.ts';
import { isFull, type BusySocket } from './serialize-pipelining.ts';

export const BODY_LIMIT_BYTES = 4_096;
/** Browsers send about twenty, proxies a few more. */
const MAX_HEADER_LINES = 100;

const STATUS_OF = {
  BODY_TOO_LARGE: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  LENGTH_REQUIRED: 411,
} as const;

type RequestRefusal = keyof typeof STATUS_OF;

type RefuseRequest = (error: { readonly code?: string }, socket: Socket) => void;

export const createRefuseRequest = (deps: ErrorAnswerDeps): RefuseRequest => {
  const tailOf = (error: AppError): string => {
    const { headers, content } = toRawErrorAnswer(error, deps);
    const lines = Object.entries({ ...headers, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    return `${lines.join('')}\r\n${content.toString()}`;
  };
  return ({ code }, socket) => {
    if (!socket.writable || code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = STATUS_OF[code as RequestRefusal] ?? 400;
    deps.events.requestAnswered(undefined, status, 0);
    const error = new AppError(status === 413 ? 'body-too-large' : 'bad-request');
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${tailOf(error)}`);
  };
};

type RequestLimitDeps = Pick<ErrorAnswerDeps, 'events'> & { readonly refuse: RefuseRequest };

type ParsedSocket = Socket & {
  readonly parser?: { onIncoming: (request: IncomingMessage, keepAlive: boolean) => number } | null;
};

/** What `onIncoming` returns when the connection no longer speaks HTTP, as after an upgrade. */
const STOP_PARSING = 2;

/** Node parses all that one read brings before it looks at another connection, and has no public way to stop that. */
export const limitRequests = (server: Server, { refuse, events }: RequestLimitDeps): void => {
  const isAccepted = (request: IncomingMessage, socket: BusySocket): boolean => {
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
    if (socket.answering !== undefined) socket.destroy();
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

type AddressLimitDeps = {
  /** A proxy holds the connections of all its visitors. */
  readonly isTrustedProxy: ProxyTrust;
  readonly clock: Clock;
  readonly events: Pick<ErrorAnswerDeps['events'], 'connectionClosed'>;
};

/** How long a misused connection keeps its place, so that opening the next one at once gains nothing. */
const MISUSED_MS = 30_000;

/** Enough for an office behind one address; to fill the server takes a hundred addresses. */
export const MAX_CONNECTIONS_OF = { narrow: 100, wide: 800 };

export const limitConnectionsByAddress = (
  server: Server,
  { isTrustedProxy, clock, events }: AddressLimitDeps,
): void => {
  const open = new Map<string, number>();
  const change = (prefix: string, by: 1 | -1): void => {
    const count = (open.get(prefix) ?? 0) + by;
    if (count === 0) open.delete(prefix);
    else open.set(prefix, count);
  };

  server.on('connection', (socket: BusySocket) => {
    const peer = parseIpAddress(socket.remoteAddress ?? '');
    if (peer === undefined || isTrustedProxy(peer)) return;
    const { narrow, wide } = visitorPrefixes(peer.text);
    const isFull =
      (open.get(narrow) ?? 0) >= MAX_CONNECTIONS_OF.narrow ||
      (open.get(wide) ?? 0) >= MAX_CONNECTIONS_OF.wide;
    if (isFull) {
      events.connectionClosed('address-limit');
      socket.destroy();
      return;
    }
    socket.countedAs = narrow;
    change(narrow, 1);
    change(wide, 1);
    const free = (): void => {
      change(narrow, -1);
      change(wide, -1);
    };
    socket.once('close', () => {
      if (socket.isMisused === true) clock.after(MISUSED_MS, free);
      else free();
    });
  });
};
