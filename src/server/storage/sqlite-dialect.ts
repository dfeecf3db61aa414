import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from 'kysely';
import { LRUCache } from 'lru-cache';

/** More than there are different queries, but for those with lists of different lengths. */
const STATEMENTS_KEPT = 100;

/**
 * Kysely on Node's own SQLite. One connection, so transactions wait for each other. `beforeWrite` may throw: then
 * nothing is written.
 */
export const createSqliteDialect = (database: DatabaseSync, beforeWrite: () => void): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => createDriver(database, beforeWrite),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

const createDriver = (database: DatabaseSync, beforeWrite: () => void): Driver => {
  const connection = createConnection(database, beforeWrite);
  let turn: Promise<void> = Promise.resolve();
  let endTurn: () => void = () => {};
  const run = async (sql: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };

  return {
    init: async () => {},
    acquireConnection: async () => {
      const before = turn;
      const { promise, resolve } = Promise.withResolvers<void>();
      turn = promise;
      await before;
      endTurn = resolve;
      return connection;
    },
    // Takes the write lock at once: a transaction that reads first could find it taken half way.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    // A full disk or a failed write has rolled back already; to do it again would hide that error behind another.
    rollbackTransaction: async () => {
      if (database.isTransaction) database.exec('rollback');
    },
    releaseConnection: async () => endTurn(),
    destroy: async () => database.close(),
  };
};

const createConnection = (database: DatabaseSync, beforeWrite: () => void): DatabaseConnection => {
  const statements = new LRUCache<string, StatementSync>({
    max: STATEMENTS_KEPT,
    memoMethod: (sql) => database.prepare(sql),
  });
  return {
    executeQuery: async ({ sql, parameters }: CompiledQuery) => {
      const statement = statements.memo(sql);
      if (statement.columns().length > 0)
        return { rows: statement.all(...(parameters as SQLInputValue[])) as never[] };
      beforeWrite();
      const { changes } = statement.run(...(parameters as SQLInputValue[]));
      return { rows: [], numAffectedRows: BigInt(changes) };
    },
    streamQuery: () => {
      throw new TypeError('Queries are not streamed.');
    },
  };
};
