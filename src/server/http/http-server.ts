import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { createServer } from '#server/node-http.ts';
import type { Clock } from '#server/system.ts';
import { parseJson } from '#shared/json.ts';
import { STATUS_PATH } from '#shared/paths.ts';
import { LANGUAGE_CODES, localPath, splitPath } from '#shared/languages.ts';
import { compileBody, createOriginCheck } from './api-route.ts';
import type { ProxyTrust } from './client-ip.ts';
import {
  BODY_LIMIT_BYTES,
  createRefuseRequest,
  limitConnectionsByAddress,
  limitRequests,
} from './connections/limits.ts';
import { serializePipelining } from './connections/serialize-pipelining.ts';
import { createDrain } from './drain.ts';
import { sendError, type ErrorAnswerDeps } from './error-answer.ts';
import { OPENAPI_PATH } from './openapi.ts';
import { createOverload, guardAgainstOverload } from './overload.ts';
import { createSendStaticFile, type SendStaticFile } from './site/static-file.ts';
import { LANGUAGE_PATHS } from './site/language-pages.ts';
import { SERVICE_WORKER_PATH, type WebBuild } from './site/web-build.ts';

type HttpServerDeps = ErrorAnswerDeps & {
  readonly clock: Clock;
  readonly web: WebBuild;
  readonly publicUrl: string;
  readonly behindProxy: boolean;
  readonly isTrustedProxy: ProxyTrust;
  readonly stopDelayMs: number;
};

const HEADER_LIMIT_BYTES = 8_192;
const MAX_CONNECTIONS = 10_000;
/** Without any progress: a client that reads slowly is not cut off, one that does not read is. */
const STALL_MS = 30_000;
const NOT_STORED = { 'cache-control': 'no-store' };
/** A proxy must be the one to close an idle connection, or it would send into a closed one. */
const KEEP_ALIVE_MS = { direct: 5_000, behindProxy: 72_000 };

/** In place of the framework's own, which would take half a megabyte of code; its types know only those. */
const COMPILERS = { buildValidator: () => compileBody, buildSerializer: () => () => JSON.stringify };

export const createHttpServer = (given: HttpServerDeps) => {
  const deps = { ...given, headers: { ...given.headers, ...NOT_STORED } };
  const server = startFastify(deps);
  const { isDraining, close, abandon } = createDrain(server, deps);
  const overload = createOverload(deps.clock);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes: Buffer, done) =>
    done(null, parseBody(bytes)),
  );
  const pages = [STATUS_PATH, ...LANGUAGE_PATHS];
  const cheapPaths = new Set([
    '/healthz',
    OPENAPI_PATH,
    ...LANGUAGE_CODES.flatMap((language) => pages.map((path) => localPath(path, language))),
    ...deps.web.files.keys(),
    SERVICE_WORKER_PATH,
  ]);
  const leave = guardAgainstOverload(server, { overload, errors: deps, cheapPaths, isDraining });
  const onAnswered = (request: TimedRequest, status: number): void => {
    const nowMs = deps.clock.monotonicMs();
    deps.events.requestAnswered(request.routeOptions.url, status, nowMs - (request.receivedMs ?? nowMs));
    leave(request);
  };
  const sendStaticFile = createSendStaticFile({ headers: given.headers, onAnswered, isDraining });
  addHooks(server, { ...deps, onAnswered, isDraining });
  server.setErrorHandler((error, _request, reply) => sendError(reply, error, deps));
  answerUnknownPaths(server, { ...deps, sendStaticFile });
  return { server, sendStaticFile, isDraining, isShedding: overload.isShedding, close, abandon };
};

const startFastify = (deps: HttpServerDeps): FastifyInstance => {
  const refuse = createRefuseRequest(deps);
  return fastify({
    serverFactory: (handler) => createListener(handler, { ...deps, refuse }),
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: COMPILERS as never },
    // Refusals of the framework and the parser pass no hook, so they are counted here.
    frameworkErrors: (error, _request, reply) => {
      sendError(reply, error, deps);
      deps.events.requestAnswered(undefined, reply.statusCode, 0);
    },
    clientErrorHandler: refuse,
  });
};

type ListenerDeps = HttpServerDeps & { readonly refuse: ReturnType<typeof createRefuseRequest> };

const createListener = (handler: RequestListener, deps: ListenerDeps): Server => {
  const inOrder = serializePipelining(handler, deps.clock);
  const listener = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: deps.behindProxy ? KEEP_ALIVE_MS.behindProxy : KEEP_ALIVE_MS.direct,
      maxHeaderSize: HEADER_LIMIT_BYTES,
      // Node would refuse by itself, but without our headers and body.
      requireHostHeader: false,
    },
    inOrder,
  );
  // The same for an `Expect` that Node does not know.
  listener.on('checkExpectation', inOrder);
  listener.setTimeout(STALL_MS);
  listener.maxConnections = MAX_CONNECTIONS;
  limitConnectionsByAddress(listener, deps);
  limitRequests(listener, deps);
  return listener;
};

/** Stricter than the framework's parser, which accepts a byte order mark and replaces invalid UTF-8. */
const parseBody = (bytes: Buffer): unknown => {
  const body = isUtf8(bytes) ? parseJson(bytes.toString()) : undefined;
  if (body === undefined) throw new AppError('bad-request');
  return body;
};

type TimedRequest = FastifyRequest & { receivedMs?: number };

type HookDeps = HttpServerDeps & {
  readonly onAnswered: (request: TimedRequest, status: number) => void;
  readonly isDraining: () => boolean;
};

const addHooks = (server: FastifyInstance, deps: HookDeps): void => {
  const { headers, clock, onAnswered, isDraining } = deps;
  const isOwnOrigin = createOriginCheck(deps.publicUrl);
  server.addHook('onRequest', (request: TimedRequest, _reply, done) => {
    request.receivedMs = clock.monotonicMs();
    if (!namesHostOnce(request.raw)) return done(new AppError('bad-request'));
    done(request.method === 'POST' && !isOwnOrigin(request.headers) ? new AppError('cross-site') : undefined);
  });
  // Timed up to here, not until everything is sent: a visitor's slow line is not our latency.
  server.addHook('onSend', (request: TimedRequest, reply, _payload, done) => {
    onAnswered(request, reply.statusCode);
    const cacheControl = reply.getHeader('cache-control') ?? NOT_STORED['cache-control'];
    reply.headers(headers).header('cache-control', cacheControl);
    if (isDraining()) reply.header('connection', 'close');
    done();
  });
};

/** Node uses the first of two, and a proxy in front of it perhaps the second. HTTP/1.0 needs none. */
const namesHostOnce = ({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2)
    if (rawHeaders[n]?.length === 4 && rawHeaders[n]?.toLowerCase() === 'host') hosts += 1;
  return hosts < 2 && (headers.host !== undefined || httpVersion !== '1.1');
};

const answerUnknownPaths = (
  server: FastifyInstance,
  deps: HttpServerDeps & { readonly sendStaticFile: SendStaticFile },
): void => {
  const methodOfPath = new Map(deps.web.files.keys().map((path) => [path, 'GET']));
  server.addHook('onRoute', ({ url, method }) => {
    if (method !== 'HEAD' && !/[:*]/.test(url)) methodOfPath.set(url, String(method));
  });
  server.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?', 1);
    const method = methodOfPath.get(path);
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const wantsPage = reads && request.headers.accept?.includes('text/html') === true;
    if (method !== undefined && !wantsPage)
      return sendError(reply.header('allow', method), new AppError('method-not-allowed'), deps);
    if (!reads) return sendError(reply, new AppError('not-found'), deps);
    return deps.web.whenRendered(({ pagesIn }) =>
      deps.sendStaticFile(reply, pagesIn(splitPath(path).language).notFoundPage, { status: 404 }),
    );
  });
};
