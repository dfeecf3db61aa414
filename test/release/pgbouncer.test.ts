import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { usePostgres } from '#test/support/databases.ts';
import { distinctIds, verdictOf } from '#test/support/many-lookups.ts';
import { findProgram, libraryPath } from '#test/support/debian-program.ts';
import { freePort } from '#test/support/free-port.ts';
import { startProgram } from '#test/support/program-process.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { becomeHealthy, beginSite, startTestNode, useNodePlatform } from '#test/support/test-node.ts';

const PROGRAM = findProgram('usr/sbin/pgbouncer');

/** Null where there is one to test with, else why not. */
const PGBOUNCER_MISSING = PROGRAM === null ? 'There is no PgBouncer here.' : null;

/** It refuses to run as root. */
const AS_NOBODY = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
/** Fewer than its clients, so that anything left on a connection reaches the next client. */
const CONNECTIONS = 2;

const settingsFor = (port: number, postgresPort: number): string => `[databases]
* = host=127.0.0.1 port=${postgresPort} user=whoflake
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
`;

/** In front of a PostgreSQL, with transaction pooling and otherwise default settings. */
const startPgBouncer = async (postgresPort: number) => {
  const port = await freePort();
  const bouncer = await startProgram({
    program: PROGRAM ?? '',
    args: (folder) => {
      const file = join(folder, 'pgbouncer.ini');
      writeFileSync(file, settingsFor(port, postgresPort));
      chmodSync(folder, 0o755);
      return [...AS_NOBODY, file];
    },
    env: { LD_LIBRARY_PATH: libraryPath() },
    readyLine: /(process up)/,
  });
  /** The address of a database of the server behind it. */
  return {
    ...bouncer,
    through: (url: string): string => Object.assign(new URL(url), { port: `${port}` }).href,
  };
};

const postgres = usePostgres();
const platform = await useNodePlatform();
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
    const { env } = await beginSite(site.url);
    await using first = await startTestNode({ ...platform, env });
    await using other = await startTestNode({ ...platform, env });
    const donated = [];
    for (const n of [5, 6, 7]) donated.push(await first.donate(platform.sandbox.mintToken(n)));
    expect(donated.map(({ status }) => status)).toEqual([201, 201, 201]);
    await becomeHealthy([first, other], 3);
    for (const id of distinctIds(3)) expect(verdictOf(await other.lookUp(id))).toMatch(/^(?:200|404)$/);
    for (const { receipt } of donated) expect(await other.withdraw(receipt)).toBe(200);
    await becomeHealthy([first, other], 0);
  });

  it('the limits of a transaction end with it, and nobody else meets them', async () => {
    await using site = await newSite();
    const { database } = await openPostgresDatabase(site.url, { create: true });
    const OURS = { idle: '10s', statement: '5s' };
    const limits = () =>
      sql<{ idle: string; statement: string }>`
        select current_setting('idle_in_transaction_session_timeout') as idle,
          current_setting('statement_timeout') as statement`;
    const within = await database.transaction().execute((step) => limits().execute(step));
    const alone = await limits().execute(database);
    expect([...within.rows, ...alone.rows]).toEqual([OURS, OURS]);
    const other = new pg.Client(site.url);
    await other.connect();
    const { rows } = await other.query(limits().compile(database).sql);
    expect(rows).toEqual([{ idle: '0', statement: '0' }]);
    await Promise.all([other.end(), database.destroy()]);
  });
});
