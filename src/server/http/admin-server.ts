import type { IncomingMessage, Server } from 'node:http';
import { createServer } from '#server/node-http.ts';
import { isOwnHost } from './api-route.ts';

type AdminServerDeps = {
  readonly host: string;
  readonly metrics: () => string;
  readonly onFailure: (error: unknown) => void;
  readonly readTokens: () => Promise<readonly object[]>;
  readonly readiness: () => { readonly ready: boolean };
};

type Answer = readonly [status: number, contentType: string, body: string];

const json = (status: number, body: unknown): Answer => [
  status,
  'application/json',
  `${JSON.stringify(body)}\n`,
];
const text = (status: number, body: string): Answer => [status, 'text/plain', body];

export const createAdminServer = (deps: AdminServerDeps): Server =>
  createServer({ headersTimeout: 10_000, requestTimeout: 15_000 }, (request, response) => {
    const send = ([status, contentType, body]: Answer): void => {
      const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
      response.writeHead(status, { 'content-type': contentType, ...headers }).end(body);
    };
    answerTo(request, deps).then(send, (error: unknown) => {
      deps.onFailure(error);
      send(json(503, { ready: false, error: 'this cannot be read now' }));
    });
  });

const answerTo = async (request: IncomingMessage, deps: AdminServerDeps): Promise<Answer> => {
  if (!isOwnHost(request.headers.host, deps.host)) return text(421, 'unknown host\n');
  if (request.method !== 'GET') return text(405, 'method not allowed\n');
  switch (request.url ?? '') {
    case '/livez':
      return text(200, 'ok\n');
    case '/readyz': {
      const readiness = deps.readiness();
      return json(readiness.ready ? 200 : 503, readiness);
    }
    case '/tokens':
      return json(200, await deps.readTokens());
    case '/metrics':
      return [200, 'text/plain; version=0.0.4; charset=utf-8', deps.metrics()];
    default:
      return text(404, 'not found\n');
  }
};
