import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { env } from 'node:process';
import { startPostgresServer, type PostgresAddress } from './postgres-server.ts';

/** What one run of Vitest starts at most once, for all of its test files. */
type RunServers = { readonly postgres: PostgresAddress };

const ADDRESS = 'TEST_RUN_SERVERS';

/** The servers of this test run; each is started when it is first asked for. */
export const runServer = async <Name extends keyof RunServers>(name: Name): Promise<RunServers[Name]> => {
  const response = await fetch(`${env[ADDRESS]}/${name}`);
  if (!response.ok) throw new Error(`No ${name} for this run: ${await response.text()}`);
  return (await response.json()) as RunServers[Name];
};

/** Vitest's own process owns the servers, so that they end with the run and not with one of its workers. */
export const setup = async (): Promise<() => Promise<void>> => {
  const parts = new AsyncDisposableStack();
  const start = {
    '/postgres': async () => parts.use(await startPostgresServer()).address,
  };
  const started = new Map<string, Promise<object>>();
  const startOnce = (path: string): Promise<object> => {
    const running = started.get(path) ?? start[path as keyof typeof start]();
    started.set(path, running);
    return running;
  };
  // No idle connection is closed: a worker might be asking on it just then.
  const broker = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    startOnce(request.url ?? '').then(
      (address) => response.end(JSON.stringify(address)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  env[ADDRESS] = `http://127.0.0.1:${(broker.address() as AddressInfo).port}`;
  return async () => {
    broker.close();
    broker.closeAllConnections();
    await Promise.allSettled(started.values());
    await parts.disposeAsync();
  };
};
