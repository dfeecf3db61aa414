import { createServer, type Server } from 'node:http';
import type { Metrics } from '#server/observability/metrics.ts';

export type Readiness = { readonly ready: boolean; readonly details: Readonly<Record<string, unknown>> };

export type AdminServerDeps = { readonly metrics: Metrics; readonly readiness: () => Readiness };

/** Health details and metrics, for the operator's network only. */
export const createAdminServer = ({ metrics, readiness }: AdminServerDeps): Server =>
  createServer({ headersTimeout: 10_000, requestTimeout: 15_000 }, (request, response) => {
    const answer = (status: number, contentType: string, body: string): void => {
      response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body);
    };
    if (request.method !== 'GET') return answer(405, 'text/plain', 'method not allowed\n');
    switch (request.url ?? '') {
      case '/livez':
        return answer(200, 'text/plain', 'ok\n');
      case '/readyz': {
        const { ready, details } = readiness();
        return answer(ready ? 200 : 503, 'application/json', `${JSON.stringify({ ready, ...details })}\n`);
      }
      case '/metrics':
        metrics.render().then(
          (text) => answer(200, metrics.contentType, text),
          () => answer(500, 'text/plain', 'metrics failed\n'),
        );
        return;
      default:
        return answer(404, 'text/plain', 'not found\n');
    }
  });
