import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openDatabase, type OpenedDatabase } from '#server/storage/database.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import {
  createPostgresClient,
  POSTGRES_MISSING,
  startPostgresServer,
  type PostgresClient,
  type PostgresServer,
} from './postgres-server.ts';
import { runPostgres } from './run-servers.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A new database that can be opened several times. */
export type TestDatabase = AsyncDisposable & {
  /** On a connection of its own each time. Closed in the end. */
  readonly open: () => Promise<OpenedDatabase>;
};

export type Dialect = {
  readonly name: string;
  /** Why it cannot be tested here; null if it can. */
  readonly missing: string | null;
  readonly create: () => Promise<TestDatabase>;
};

/** The server of the run. Only for databases: do not stop or configure it. */
export const usePostgres = (): (() => Promise<PostgresClient>) => {
  let client: Promise<PostgresClient> | undefined;
  return () => (client ??= runPostgres().then(createPostgresClient));
};

/** A server of the test file's own, to stop and to configure, started when it is first needed. */
export const useOwnPostgres = (): (() => Promise<PostgresServer>) => {
  let server: Promise<PostgresServer> | undefined;
  afterAll(async () => (await server)?.[Symbol.asyncDispose]());
  return () => (server ??= startPostgresServer());
};

const testDatabase = (openOne: () => Promise<OpenedDatabase>, folder?: Disposable): TestDatabase => {
  const opened: OpenedDatabase[] = [];
  return {
    open: async () => {
      const one = await openOne();
      opened.push(one);
      return one;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map(({ database }) => database.destroy()));
      folder?.[Symbol.dispose]();
    },
  };
};

/** Every database that the records can be in, for tests of what must be the same on all. */
export const useDialects = (): readonly Dialect[] => {
  const postgres = usePostgres();
  return [
    {
      name: 'SQLite',
      missing: null,
      create: async () => {
        const folder = temporaryFolder();
        return testDatabase(() => openDatabase(join(folder.path, 'db')), folder);
      },
    },
    {
      name: 'PostgreSQL',
      missing: POSTGRES_MISSING,
      create: async () => {
        const url = await (await postgres()).newDatabase();
        return testDatabase(() => openPostgresDatabase(url, { create: true }));
      },
    },
  ];
};
