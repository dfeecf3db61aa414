import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { usePostgres } from '#test/support/databases.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { PGBOUNCER_MISSING, startPgBouncer } from '#test/support/pgbouncer.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp } from '#test/support/test-app.ts';

const postgres = usePostgres();
const newSite = async () => {
  const server = await postgres();
  const bouncer = await startPgBouncer(server.port);
  return { ...bouncer, url: bouncer.through(await server.newDatabase()) };
};

describe.skipIf(POSTGRES_MISSING !== null || PGBOUNCER_MISSING !== null)('behind PgBouncer', () => {
  it('six that begin at once on an empty database make it whole', async () => {
    await using site = await newSite();
    const opened = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => openPostgresDatabase(site.url, { create: true })),
    );
    const versions = await Promise.all(opened.map(({ readVersion }) => readVersion()));
    expect(new Set(versions).size).toBe(1);
    for (const { database } of opened) await database.destroy();
  });

  it('what one node is given the other has, and what is taken back both have no more', async () => {
    await using site = await newSite();
    using one = temporaryFolder();
    using two = temporaryFolder();
    const env = { DATABASE_URL: site.url, KEYRING_FILE: join(one.path, 'keyring.json') };
    await using first = await startTestApp({ env, dataDir: one.path, seed: 41, sandbox: {} });
    await using second = await startTestApp({ env, dataDir: two.path, seed: 42, sandbox: {} });
    const tokens = [5, 6, 7, 8].map((n) => first.sandbox.mintToken(n));
    const donated = await Promise.all(tokens.map((token) => donate(first, token)));
    expect(donated.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    await second.app.refresh();
    expect(second.app.pool.counts().healthy).toBe(5);
    const receipts = donated.map(({ body }) => body['receipt']);
    await Promise.all(receipts.map((receipt) => withdraw(second, { receipt })));
    await first.app.refresh();
    expect([first.app.pool.counts().healthy, second.app.pool.counts().healthy]).toEqual([1, 1]);
  });

  it('the limits of a transaction end with it, and nobody else meets them', async () => {
    await using site = await newSite();
    const { database } = await openPostgresDatabase(site.url, { create: true });
    const limits = () =>
      sql<{ idle: string; statement: string }>`
        select current_setting('idle_in_transaction_session_timeout') as idle,
          current_setting('statement_timeout') as statement`;
    const within = await database.transaction().execute((step) => limits().execute(step));
    expect(within.rows).toEqual([{ idle: '10s', statement: '5s' }]);
    expect((await limits().execute(database)).rows).toEqual([{ idle: '0', statement: '0' }]);
    await database.destroy();
  });
});
