import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { usePostgres } from '#test/support/databases.ts';
import { distinctIds, verdictOf } from '#test/support/many-lookups.ts';
import { startOps } from '#test/support/ops-process.ts';
import { PGBOUNCER_MISSING, startPgBouncer } from '#test/support/pgbouncer.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { becomeHealthy, startTestNode } from './test-node.ts';

const postgres = usePostgres();
const sandbox = createSandbox();
const urls = await sandbox.listen();
afterAll(() => sandbox.close());
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

  it('what one server is given the other has, and what is taken back both have no more', async () => {
    await using site = await newSite();
    using folder = temporaryFolder();
    const env = {
      DATABASE_URL: site.url,
      DATA_DIR: folder.path,
      KEYRING_FILE: join(folder.path, 'ring'),
      BOT_TOKENS: '',
    };
    expect(await startOps(['init'], { env }).ended).toMatchObject({ exitCode: 0 });
    await using first = await startTestNode({ sandbox, urls, env });
    using second = temporaryFolder();
    await using other = await startTestNode({ sandbox, urls, env: { ...env, DATA_DIR: second.path } });
    const donated = [];
    for (const n of [5, 6, 7]) donated.push(await first.donate(sandbox.mintToken(n)));
    expect(donated.map(({ status }) => status)).toEqual([201, 201, 201]);
    await becomeHealthy([first, other], 3);
    for (const id of distinctIds(3)) expect(verdictOf(await other.lookUp(id))).toMatch(/^(?:200|404)$/);
    for (const { receipt } of donated) expect(await other.withdraw(receipt)).toBe(200);
    await becomeHealthy([first, other], 0);
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
