import { createServer, type Server } from 'node:http';

export type AdminServerDeps = {
  /** In the text format of Prometheus. */
  readonly metrics: () => string;
  readonly onFailure: (error: unknown) => void;
  /** For commands: how each token is, and how often it was used. */
  readonly readTokens: () => Promise<readonly object[]>;
  readonly readiness: () => { readonly ready: boolean; readonly details: Readonly<Record<string, unknown>> };
};

/** Health details and metrics, for the operator's network only. */
export const createAdminServer = ({ metrics, onFailure, readTokens, readiness }: AdminServerDeps): Server =>
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
      case '/tokens':
        return void readTokens().then(
          (tokens) => answer(200, 'application/json', `${JSON.stringify(tokens)}\n`),
          (error) => {
            onFailure(error);
            answer(503, 'application/json', '{"error":"the tokens cannot be read now"}\n');
          },
        );
      case '/metrics':
        try {
          return answer(200, 'text/plain; version=0.0.4; charset=utf-8', metrics());
        } catch (error) {
          onFailure(error);
          return answer(500, 'text/plain', 'metrics failed\n');
        }
      default:
        return answer(404, 'text/plain', 'not found\n');
    }
  });
