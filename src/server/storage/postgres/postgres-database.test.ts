// @module-tag slow
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { createNodeStore } from '#server/storage/node-store.ts';
import { createDonatedTokenStore } from '#server/vault/donated-tokens.ts';
import { useOwnPostgres } from '#test/support/databases.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createFakeTimeSession } from '#test/support/fake-time-state.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { SCHEMA_VERSION } from '../migrations.ts';
import { exclusively } from '../sql-dialect.ts';
import { isStorageFault } from '../storage-fault.ts';
import { inspectPostgres, openPostgresDatabase } from './postgres-database.ts';

const postgres = useOwnPostgres();
const open = async (url?: string, limits?: { statementMs: number; connectMs: number }) => {
  const at = url ?? (await (await postgres()).newDatabase());
  const opened = await openPostgresDatabase(at, { create: true, ...(limits && { limits }) });
  return { url: at, ...opened, [Symbol.asyncDispose]: () => opened.database.destroy() };
};

describe.skipIf(POSTGRES_MISSING !== null)('with a server of its own', () => {
  it('the records in PostgreSQL are made whole by six nodes that begin at once on an empty database', async () => {
    for (const _round of [1, 2, 3]) {
      const url = await (await postgres()).newDatabase();
      for (const { database } of await Promise.all(Array.from({ length: 6 }, () => open(url)))) {
        const applied = await database.selectFrom('schema_migration').selectAll().execute();
        expect(applied).toHaveLength(SCHEMA_VERSION);
        expect(await database.selectFrom('change').selectAll().execute()).toHaveLength(1);
        await database.destroy();
      }
    }
  });

  it('the records in PostgreSQL tell by a number that something was written, by whomever, and not that something was read', async () => {
    await using opened = await open();
    const { database, readVersion } = opened;
    await using other = await open(opened.url);
    const seen = [await readVersion()];
    const isNew = async (): Promise<boolean> => {
      seen.push(await readVersion());
      return seen.at(-1) !== seen.at(-2);
    };
    expect(await isNew()).toBe(false);
    await other.database.selectFrom('opt_out').selectAll().execute();
    expect(await isNew()).toBe(false);
    await other.database.insertInto('opt_out').values({ digest: 'a', created_day: '2026-11-15' }).execute();
    expect(await isNew()).toBe(true);
    await database.insertInto('withdrawn').values({ row_id: 'a' }).execute();
    expect(await isNew()).toBe(true);
    const undone = other.database.transaction().execute(async (step) => {
      await step.deleteFrom('opt_out').execute();
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await isNew()).toBe(false);
  });

  it('the records in PostgreSQL that were exchanged for others under us are noticed', async () => {
    await using opened = await open();
    await opened.readVersion();
    expect(opened.isSameDatabase()).toBe(true);
    await sql`update change set site = 'another', n = 0`.execute(opened.database);
    await opened.readVersion();
    expect(opened.isSameDatabase()).toBe(false);
  });

  it.each([
    [
      'a trigger that is not ours, by the name of ours',
      `create function nothing() returns trigger language plpgsql as 'begin return null; end';
       create or replace trigger count_change before insert on opt_out for each statement execute function nothing()`,
    ],
    [
      'our own trigger, which does something else',
      `create or replace function count_change() returns trigger language plpgsql as 'begin return null; end'`,
    ],
    [
      'our own trigger for each row, where its null drops what is written',
      'create trigger x before insert on opt_out for each row execute function count_change()',
    ],
    [
      'a view in the place of a table',
      'alter table opt_out rename to hidden; create view opt_out as select * from hidden',
    ],
    [
      'row security, under which nobody would have opted out',
      'alter table opt_out enable row level security; alter table opt_out force row level security',
    ],
    ['a trigger of ours switched off', 'alter table opt_out disable trigger count_change'],
    ['a trigger of ours missing', 'drop trigger count_change on opt_out'],
    ['a schema in which everybody may create', 'grant create on schema whoflake to public'],
    [
      'a schema of somebody else',
      'create role owner; alter schema whoflake owner to owner; alter role owner superuser',
    ],
  ])('the records in PostgreSQL with %s are refused by a start and by a look', async (_, statements) => {
    const { url, database } = await open();
    await sql`create table of_somebody_else (id int)`.execute(database);
    expect(await inspectPostgres(url)).toMatchObject({ kind: 'good' });
    for (const statement of statements.split(/;\s*(?=create|alter|$)/))
      await sql.raw(statement).execute(database);
    await database.destroy();
    const refusal = { exitCode: EXIT.databaseCorrupt };
    await expect(openPostgresDatabase(url)).rejects.toMatchObject(refusal);
    await expect(inspectPostgres(url)).rejects.toMatchObject(refusal);
  });

  it('a neighbour in the same database has us run nothing of his, and holds up no write', async () => {
    await using opened = await open();
    await sql`create role neighbour login`.execute(opened.database);
    // As up to version 14 everybody may.
    await sql`grant create on schema public to neighbour`.execute(opened.database);
    const neighbour = new pg.Client(Object.assign(new URL(opened.url), { username: 'neighbour' }).href);
    await neighbour.connect();
    await neighbour.query(`
      create function public.steal(varchar, varchar) returns boolean language plpgsql as 'begin raise exception ''!''; end';
      create operator public.= (leftarg = varchar, rightarg = varchar, function = public.steal);
      create table public.opt_out (digest varchar(64), created_day varchar(10));
      select pg_advisory_lock(2003332966)`);
    await expect(neighbour.query('select from whoflake.change for update')).rejects.toMatchObject({
      code: '42501',
    });
    await createDonatedTokenStore(opened.database).find('fingerprint', 'a');
    await opened.database.insertInto('opt_out').values({ digest: 'a', created_day: '2026-11-15' }).execute();
    await exclusively(opened.database, (step) =>
      step.deleteFrom('opt_out').where('digest', '=', 'a').execute(),
    );
    const { session, storesAt } = createFakeTimeSession(opened.url, createFakeSystem());
    storesAt(50);
    await session.start();
    const { rowCount } = await neighbour.query('table public.opt_out');
    await neighbour.end();
    expect(rowCount).toBe(0);
    expect(await inspectPostgres(opened.url)).toMatchObject({ kind: 'good' });
  });

  it('the records in PostgreSQL that fall silent are given up, and a connection that did is not used again', async () => {
    const limits = { statementMs: 200, connectMs: 10_000 };
    await using opened = await open(undefined, limits);
    const ask = async (): Promise<number> => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(opened.database);
      return rows[0]?.pid ?? 0;
    };
    const pid = await ask();
    process.kill(pid, 'SIGSTOP');
    try {
      await expect(ask()).rejects.toSatisfy(isStorageFault);
      expect(await ask()).not.toBe(pid);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});

describe.skipIf(POSTGRES_MISSING !== null)('with a server of its own', () => {
  it('statements that wait in PostgreSQL end there too, and the servers do not use up its connections', async () => {
    const { url, ...opened } = await open(undefined, { statementMs: 100, connectMs: 10_000 });
    await using database = opened.database;
    await using other = await open(url);
    const { put } = createNodeStore(database);
    const node = { id: 'a', name: 'a', version: '1' };
    await other.database.transaction().execute(async (step) => {
      await sql`lock table node in access exclusive mode`.execute(step);
      for (let n = 0; n < 4; n += 1) await expect(put(node)).rejects.toMatchObject({ code: '57014' });
      const { rows } = await sql<{ active: number }>`select count(*)::int as active from pg_stat_activity
        where datname = current_database() and state = 'active'`.execute(step);
      expect(rows).toEqual([{ active: 1 }]);
    });
    await createNodeStore(other.database).put(node);
  });

  it('statements read what others have committed, whatever PostgreSQL is set to', async () => {
    const url = await (await postgres()).newDatabase();
    const { database } = await openPostgresDatabase(url, { create: true });
    const name = sql.id(new URL(url).pathname.slice(1));
    await sql`alter database ${name} set default_transaction_isolation = 'serializable'`.execute(database);
    await database.destroy();
    await using again = await open(url);
    const committed = { transaction_isolation: 'read committed' };
    const show = sql`show transaction_isolation`;
    const inTransaction = await again.database.transaction().execute((step) => show.execute(step));
    expect([...(await show.execute(again.database)).rows, ...inTransaction.rows]).toEqual([
      committed,
      committed,
    ]);
    const { session } = createFakeTimeSession(url, createFakeSystem());
    await session.start();
    expect((await session.run(['show transaction_isolation']))?.[0]).toEqual([committed]);
  });
});

describe.skipIf(POSTGRES_MISSING !== null)('with a server of its own', () => {
  const SECRET = 'hunter2-very-secret';
  const { databaseUnreachable, databaseUnusable } = EXIT;
  it.each([
    [databaseUnreachable, /127\.0\.0\.1:1\/test_\w+ cannot be used now: .*ECONNREFUSED/, { port: '1' }],
    [databaseUnusable, /\/nothing does not exist: create it with createdb/, { pathname: '/nothing' }],
    [databaseUnusable, /refused this user: check DATABASE_URL, and pg_hba/, { username: 'stranger' }],
    [databaseUnusable, /offers no encrypted connection/, { search: '?sslmode=require' }],
  ])(
    'an address that does not lead to usable records (%i, %s) is refused in one sentence without the password',
    async (exitCode, sentence, change) => {
      const url = new URL(await (await postgres()).newDatabase());
      const { href } = Object.assign(url, { password: SECRET, ...change });
      const refusal = await openPostgresDatabase(href, { create: true }).catch((error: Error) => error);
      const message = expect.stringMatching(sentence);
      expect(refusal).toMatchObject({ name: 'OperatorError', exitCode, message });
      expect(JSON.stringify([refusal, (refusal as Error).stack])).not.toContain(SECRET);
    },
  );
});
