import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ConnectSqlite } from '#server/storage/sqlite/sqlite-connection.ts';
import { connectSqliteThread } from '#server/storage/sqlite/sqlite-thread.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { startTestApp } from '#test/support/test-app.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ID = '441997505123577857';

const takeWriteLock = (dataDir: string): DatabaseSync => {
  const other = new DatabaseSync(join(dataDir, 'whoflake.sqlite'));
  other.exec('begin immediate');
  return other;
};

const watched =
  (connect: ConnectSqlite, onBegin: () => void): ConnectSqlite =>
  async (path) => {
    const connection = await connect(path);
    return {
      ...connection,
      execute: (statement) => {
        if (statement.sql === 'begin immediate') onBegin();
        return connection.execute(statement);
      },
    };
  };

describe('while another process holds the write lock', () => {
  it('a withdrawal waits for it, and nobody else does', async () => {
    let begun = Promise.withResolvers<void>();
    await using test = await startTestApp({ connect: watched(connectSqliteThread, () => begun.resolve()) });
    const token = test.sandbox.mintToken(5);
    expect((await donate(test, token)).status).toBe(201);
    await sql`pragma busy_timeout = 60000`.execute(test.records.database);
    const other = takeWriteLock(test.dataDir);
    begun = Promise.withResolvers();
    const order: string[] = [];
    const withdrawal = withdraw(test, { token }).then(({ status }) => order.push(`withdrawn: ${status}`));
    await begun.promise;
    order.push(`looked up: ${(await test.settle(test.lookUp(ID))).statusCode}`);
    other.close();
    await withdrawal;
    expect(order).toEqual(['looked up: 200', 'withdrawn: 200']);
  });

  it('a server starts, and takes over what was written', async () => {
    using folder = temporaryFolder();
    const dataDir = folder.path;
    let token: string;
    {
      await using before = await startTestApp({ dataDir });
      token = before.sandbox.mintToken(5);
      expect((await donate(before, token)).status).toBe(201);
    }
    using _other = takeWriteLock(dataDir);
    await using test = await startTestApp({ dataDir, connect: connectSqliteThread });
    await test.app.refresh();
    expect(test.app.pool.counts().healthy).toBe(2);
    expect((await donate(test, token)).body['code']).toBe('token-known');
  });
});
