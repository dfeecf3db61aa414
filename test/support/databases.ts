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

const opener = (openOne: () => Promise<OpenedDatabase>) => {
  const opened: OpenedDatabase[] = [];
  return {
    open: async () => {
      const one = await openOne();
      opened.push(one);
      return one;
    },
    closeAll: () => Promise.all(opened.map(({ database }) => database.destroy())),
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
        const { open, closeAll } = opener(() => openDatabase(join(folder.path, 'db')));
        return {
          open,
          [Symbol.asyncDispose]: async () => {
            await closeAll();
            folder[Symbol.dispose]();
          },
        };
      },
    },
    {
      name: 'PostgreSQL',
      missing: POSTGRES_MISSING,
      create: async () => {
        const url = await (await postgres()).newDatabase();
        const { open, closeAll } = opener(() => openPostgresDatabase(url, { create: true }));
        return { open, [Symbol.asyncDispose]: async () => void (await closeAll()) };
      },
    },
  ];
};
