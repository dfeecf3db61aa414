import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startHttpServer } from './http-server.ts';

export const READY = {
  ready: true,
  paused: null,
  lookups_last_hour: { served: 41, refused: 1 },
  pool: { healthy: 2, cooling: 1, suspect: 0, retired: 4, waiting: 0 },
  invalid_requests: 3,
  invalid_requests_limit: 500,
  egress_per_second: 50,
  disk_free_bytes: 7_340_032_000,
  version: '0.3.0',
  uptime_seconds: 7_300,
};
export const PAUSED = {
  cause: 'banned',
  since: '2026-11-17T03:00:00.000Z',
  until: '2026-11-17T04:00:00.000Z',
};

/** An admin listener that answers what the test wants, at the public address too. */
export const useAdminListener = () => {
  let answer: object = READY;
  let listener: Awaited<ReturnType<typeof startHttpServer>>;
  beforeAll(async () => {
    listener = await startHttpServer(({ url }, response) => {
      const said = url === '/openapi.json' ? { servers: [{ url: listener.url }] } : answer;
      response.end(JSON.stringify(said));
    });
  });
  beforeEach(() => void (answer = READY));
  afterAll(() => listener[Symbol.asyncDispose]());
  return {
    get env() {
      const { port, url } = listener;
      return { ADMIN_PORT: String(port), ADMIN_HOST: '0.0.0.0', PUBLIC_URL: url };
    },
    say: (said: object) => {
      answer = said;
    },
  };
};
