import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { env } from 'node:process';
import { startPostgresServer, type PostgresAddress, type PostgresServer } from './postgres-server.ts';

const ADDRESS = 'TEST_RUN_POSTGRES';

/** The one PostgreSQL of this run of Vitest; it is started when it is first asked for. */
export const runPostgres = async (): Promise<PostgresAddress> => {
  const response = await fetch(env[ADDRESS] ?? '');
  if (!response.ok) throw new Error(`No PostgreSQL for this run: ${await response.text()}`);
  return (await response.json()) as PostgresAddress;
};

/** Vitest's own process owns it, so that it ends with the run and not with one of its workers. */
export const setup = async (): Promise<() => Promise<void>> => {
  let started: Promise<PostgresServer> | undefined;
  // No idle connection is closed: a worker might be asking on it just then.
  const broker = createServer({ keepAliveTimeout: 0 }, (_request, response) => {
    (started ??= startPostgresServer()).then(
      ({ address }) => response.end(JSON.stringify(address)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  env[ADDRESS] = `http://127.0.0.1:${(broker.address() as AddressInfo).port}`;
  return async () => {
    broker.close();
    broker.closeAllConnections();
    await started?.then((server) => server[Symbol.asyncDispose]()).catch(() => {});
  };
};
