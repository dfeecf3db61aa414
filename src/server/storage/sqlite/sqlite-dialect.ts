import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from 'kysely';
import { isSqliteError } from '../storage-fault.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export const createSqliteDialect = (sqlite: SqliteConnection): Dialect => ({
  // The driver has callers take turns: it must know who is waiting, which Kysely's own queue does not tell.
  createAdapter: () =>
    Object.defineProperty(new SqliteAdapter(), 'supportsMultipleConnections', { value: true }),
  createDriver: () => createDriver(sqlite),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

const createDriver = (sqlite: SqliteConnection): Driver => {
  let turn: Promise<void> = Promise.resolve();
  let endTurn: () => void = () => {};
  let locked: { readonly error: unknown } | undefined;
  const connection = createConnection(sqlite, (error) => {
    locked = { error };
  });
  const run = async (sql: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };

  return {
    init: async () => {},
    acquireConnection: async () => {
      const before = turn;
      const { promise, resolve } = Promise.withResolvers<void>();
      turn = promise;
      const lockedBefore = locked;
      await before;
      endTurn = resolve;
      // Those next in line have waited for the lock too, and must not wait as long again.
      if (locked !== undefined && locked !== lockedBefore) {
        resolve();
        throw locked.error;
      }
      return connection;
    },
    // Takes the write lock at once: a transaction that reads first could find it taken half way.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: async () => void (await sqlite.rollBack()),
    releaseConnection: async () => endTurn(),
    destroy: async () => sqlite.close(),
  };
};

const createConnection = (
  sqlite: SqliteConnection,
  onLocked: (error: unknown) => void,
): DatabaseConnection => ({
  executeQuery: async ({ sql, parameters }: CompiledQuery) => {
    try {
      const { rows, changes } = await sqlite.execute({ sql, parameters });
      return { rows: rows as never[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) };
    } catch (error) {
      if (isSqliteError(error, 'BUSY')) onLocked(error);
      throw error;
    }
  },
  streamQuery: () => {
    throw new TypeError('Queries are not streamed.');
  },
});
