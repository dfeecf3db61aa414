import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { ANSWER_MS } from '#server/deadlines.ts';
import { sleep, type Clock } from '#server/system.ts';
import { parseJson } from '#shared/json.ts';
import { STATUS_PATH } from '#shared/paths.ts';
import { LANGUAGE_CODES, localPath, splitPath } from '#shared/languages.ts';
import { allowListSerializer, compileBody, createOriginCheck } from './api-route.ts';
import { createRefuseRequest, sendError, type ErrorAnswerDeps } from './error-answer.ts';
import { OPENAPI_PATH } from './openapi.ts';
import { guardAgainstOverload } from './overload.ts';
import { createSendStaticFile, type SendStaticFile } from './site/static-file.ts';
import { LANGUAGE_PATHS } from './site/language-pages.ts';
import type { WebBuild } from './site/web-build.ts';

type HttpServerDeps = ErrorAnswerDeps & {
  readonly clock: Clock;
  readonly web: WebBuild;
  readonly publicUrl: string;
  readonly trustProxy: false | ((address: string) => boolean);
  readonly stopDelayMs: number;
};

const HEADER_LIMIT_BYTES = 8_192;
const BODY_LIMIT_BYTES = 4_096;
const MAX_CONNECTIONS = 10_000;
/** Node answers all requests that one read brings, thousands of them, before it looks at another connection. */
const MAX_PIPELINED = 32;
/** Without any progress: a client that reads slowly is not cut off, one that does not read is. */
const STALL_MS = 30_000;
const NOT_STORED = { 'cache-control': 'no-store' };
/** A proxy must be the one to close an idle connection, or it would send into a closed one. */
const KEEP_ALIVE_MS = { direct: 5_000, behindProxy: 72_000 };

/** In place of the framework's own, which would take half a megabyte of code; its types know only those. */
const COMPILERS = { buildValidator: () => compileBody, buildSerializer: () => allowListSerializer };

export const createHttpServer = (given: HttpServerDeps) => {
  const deps = { ...given, headers: { ...given.headers, ...NOT_STORED } };
  const server = startFastify(deps);
  const { isDraining, close } = createDrain(server, deps);
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
  ]);
  const { isShedding, leave } = guardAgainstOverload(server, {
    clock: deps.clock,
    errors: deps,
    cheapPaths,
    isDraining,
  });
  const onAnswered = (request: TimedRequest, status: number): void => {
    const nowMs = deps.clock.monotonicMs();
    deps.events.requestAnswered(request.routeOptions.url, status, nowMs - (request.receivedMs ?? nowMs));
    leave(request);
  };
  const sendStaticFile = createSendStaticFile({ headers: given.headers, onAnswered, isDraining });
  addHooks(server, { ...deps, onAnswered, isDraining });
  server.setErrorHandler((error, _request, reply) => sendError(reply, error, deps));
  answerUnknownPaths(server, { ...deps, sendStaticFile });
  return { server, sendStaticFile, isDraining, isShedding, close };
};

const startFastify = (deps: HttpServerDeps): FastifyInstance => {
  const { trustProxy } = deps;
  const server = fastify({
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: HEADER_LIMIT_BYTES,
      // Node would refuse by itself, but without our headers and body.
      requireHostHeader: false,
    },
    requestTimeout: 15_000,
    trustProxy,
    keepAliveTimeout: trustProxy === false ? KEEP_ALIVE_MS.direct : KEEP_ALIVE_MS.behindProxy,
    connectionTimeout: STALL_MS,
    bodyLimit: BODY_LIMIT_BYTES,
    return503OnClosing: false,
    schemaController: { compilersFactory: COMPILERS as never },
    // Refusals of the framework and the parser pass no hook, so they are counted here.
    frameworkErrors: (error, { raw }, reply) => {
      if (raw.socket.destroyed) return void reply.hijack();
      sendError(reply, error, deps);
      return deps.events.requestAnswered(undefined, reply.statusCode, 0);
    },
    clientErrorHandler: createRefuseRequest(deps),
  });
  server.server.maxConnections = MAX_CONNECTIONS;
  // The same for an `Expect` that Node does not know.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response));
  limitPipelines(server);
  return server;
};

/** On the listener: the framework runs no hook for an address that it cannot decode. */
const limitPipelines = (server: FastifyInstance): void => {
  /** Requests whose answers were not sent before this turn of the event loop. */
  const pipelined = new WeakMap<Socket, number>();
  const change = (socket: Socket, by: 1 | -1): number => {
    const count = (pipelined.get(socket) ?? 0) + by;
    pipelined.set(socket, count);
    return count;
  };
  const count = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (change(socket, 1) > MAX_PIPELINED) socket.destroy();
    response.once('close', () => setImmediate(change, socket, -1));
  };
  for (const event of ['request', 'checkExpectation']) server.server.prependListener(event, count);
  server.addHook('onRequest', ({ raw }, reply, done) =>
    raw.socket.destroyed ? void reply.hijack() : done(),
  );
};

const createDrain = (server: FastifyInstance, { clock, stopDelayMs }: HttpServerDeps) => {
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
    const { host } = request.headers;
    if (host === undefined && request.raw.httpVersion === '1.1') return done(new AppError('bad-request'));
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
