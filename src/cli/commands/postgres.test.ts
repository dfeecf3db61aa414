import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNodeStore } from '#server/nodes/node-store.ts';
import type { Database } from '#server/storage/database.ts';
import { inspectPostgres, openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { parseKeyring } from '#server/vault/keyring.ts';
import { usePostgres } from '#test/support/databases.ts';
import { useOperator, type OpsOptions } from '#test/support/operator.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';

const postgres = usePostgres();

/** As before its first start. */
const site = useOperator(async ({ dataDir }) => {
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name));
});
const { dataDir } = site;
const keyring = join(dataDir, 'keyring.json');

/** Commands for records in a new database of PostgreSQL, and what is in it, on a connection of its own. */
const setUp = async () => {
  const url = await (await postgres()).newDatabase();
  const withUrl = (options: OpsOptions = {}) => ({ ...options, env: { DATABASE_URL: url, ...options.env } });
  const withDatabase = async (work: (database: Database) => Promise<unknown>) => {
    const { database } = await openPostgresDatabase(url);
    await work(database);
    await database.destroy();
  };
  return {
    url,
    ops: (argv: readonly string[], options?: OpsOptions) => site.ops(argv, withUrl(options)),
    printed: (argv: readonly string[], options?: OpsOptions) => site.printed(argv, withUrl(options)),
    json: <T>(argv: readonly string[], options?: OpsOptions) => site.json<T>(argv, withUrl(options)),
    addTokens: (count: number) => site.addTokens(count, { DATABASE_URL: url }),
    withDatabase,
    /** Servers that run on these records. */
    putServers: (kids: string, ...names: readonly string[]) =>
      withDatabase(async (database) => {
        for (const name of names) await createNodeStore(database).put({ id: name, name, kids, version: '1' });
      }),
  };
};

describe.skipIf(POSTGRES_MISSING !== null)('with the records in PostgreSQL', () => {
  it('a site begins with init, once, and commands then work as with a file', async () => {
    const operator = await setUp();
    const { ops, printed, json } = operator;
    expect(await printed(['tokens', 'list'])).toBe(
      `70 There is no keyring ${keyring}: copy it from another machine of this site, or begin a new site with ops init.`,
    );
    expect(await inspectPostgres(operator.url)).toEqual({ kind: 'absent' });
    expect(await printed(['init'])).toMatch(/^0 .*copy it to every machine of this site/s);
    expect(await printed(['init'])).toMatch(/^0 There is already a site .*: nothing was changed\./);
    await operator.addTokens(2);
    await ops(['optout', 'add', '441997505123577857']);
    const status = await json<{ records: object }>(['status']);
    expect(status.records).toMatchObject({ token_count: 2, opt_out_count: 1, version: 1, servers: [] });
    const { stdout } = await ops(['status']);
    expect(stdout).toMatch(/^Database +in PostgreSQL at 127\.0\.0\.1:\d+\/test_\w+, version 1$/m);
    expect(stdout).toContain('Backup       none scheduled');
    const { tokens } = await json<{ tokens: { id: string; opens: boolean }[] }>(['tokens', 'list']);
    expect(tokens.map(({ opens }) => opens)).toEqual([true, true]);
    expect(await ops(['tokens', 'remove', tokens[0]?.id ?? '', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(await json(['status'])).toMatchObject({ records: { token_count: 1, removed_token_count: 1 } });
    expect(await ops(['migrate'])).toMatchObject({ stdout: 'The database is up to date, at version 1.\n' });
    expect(existsSync(join(dataDir, 'whoflake.sqlite'))).toBe(false);
  });

  it('a keyring without its database is not used with an empty one, unless init says so', async () => {
    const first = await setUp();
    await first.ops(['init']);
    const second = await setUp();
    expect(await second.printed(['status'])).toMatch(
      /^80 .*has no records of this site: check DATABASE_URL; a new site begins with ops init/s,
    );
    expect(await inspectPostgres(second.url)).toEqual({ kind: 'absent' });
    const before = readFileSync(keyring, 'utf8');
    expect((await second.ops(['init'])).exitCode).toBe(0);
    expect(readFileSync(keyring, 'utf8')).toBe(before);
    expect(await second.printed(['init'])).toMatch(/^0 There is already a site in PostgreSQL/);
  });

  it('a command for the file says what to do instead, and touches no file', async () => {
    const { ops, printed } = await setUp();
    await ops(['init']);
    writeFileSync(join(dataDir, 'whoflake.sqlite'), 'left from before');
    const before = readdirSync(dataDir);
    expect(await printed(['init', '--from', 'x', '--yes'])).toMatch(
      /^2 The records are in PostgreSQL at .*: run this without DATABASE_URL, then bring what it made there/,
    );
    expect(readdirSync(dataDir)).toEqual(before);
  });

  it('a schema of another version is reported by the doctor, and left alone by migrate', async () => {
    const operator = await setUp();
    await operator.ops(['init']);
    await operator.withDatabase((database) =>
      database.insertInto('schema_migration').values({ number: 999, name: 'x' }).execute(),
    );
    expect((await operator.ops(['doctor'])).stdout).toContain('is version 999, which is too new');
    expect(await operator.ops(['migrate'])).toMatchObject({ exitCode: 75 });
  });

  it('a database that cannot be reached is one sentence, without the password, for every command', async () => {
    const operator = await setUp();
    await operator.ops(['init']);
    const env = { DATABASE_URL: 'postgres://whoflake:hunter2@127.0.0.1:1/site' };
    for (const argv of [['tokens', 'list'], ['migrate'], ['init'], ['vault', 'status']]) {
      expect(await operator.printed(argv, { env })).toBe(
        '69 The PostgreSQL database 127.0.0.1:1/site cannot be used now (ECONNREFUSED): check that PostgreSQL is running and can be reached, and DATABASE_URL.',
      );
    }
    // The status is an answer, not an error.
    const status = await operator.ops(['status'], { env });
    expect(status).toMatchObject({
      exitCode: 69,
      stdout: expect.stringMatching(/^failed .*\nThe PostgreSQL database .* cannot be used now/),
      stderr: '',
    });
    expect((await operator.ops(['doctor'], { env })).stdout).not.toContain('hunter2');
  });

  it('the doctor knows who runs on the records, and whom something is missing', async () => {
    const operator = await setUp();
    await operator.ops(['init']);
    const doctor = async (...findings: (string | RegExp)[]) => {
      const { stdout } = await operator.ops(['doctor']);
      for (const finding of findings) expect(stdout).toMatch(finding);
    };
    const MADE = /ok +database +in PostgreSQL at .*, version 1\nok +servers +none running/;
    await doctor(MADE, 'Fix the backup: make one with pg_dump every day');
    await operator.putServers('k', 'one', 'two');
    await doctor(/ok +servers +one \(1\), two \(1\)/);
    await operator.putServers('k', 'one', 'two', 'lost');
    const seen_at = new Date('2026-11-17T03:00:00Z');
    await operator.withDatabase((database) =>
      database.updateTable('node').set({ seen_at }).where('name', '=', 'lost').execute(),
    );
    const missed = '2 of 3 running; lost was last seen at 2026-11-17T03:00:00.000Z';
    await doctor(new RegExp(`^warning +servers +${missed}$`, 'm'));
    expect((await operator.ops(['status'])).stdout).toContain(`Servers      ${missed}\n`);
    const forgotten = await operator.printed(['status', '--forget', 'two']);
    expect(forgotten).toMatch(/^2 There is no server two that is missed/);
    await operator.ops(['status', '--forget', 'lost']);
    await doctor(/ok +servers +one \(1\), two \(1\)/);
    await operator.putServers('k l', 'one');
    await operator.putServers('k', 'two');
    await doctor(/failed +servers +their keyrings differ\nok +connections +2 servers, up to 22 of 197/);
    await operator.putServers('k', ...Array.from({ length: 18 }, (_, n) => ['one', 'two'][n] ?? `more ${n}`));
    const CROWDED = /failed +connections +18 servers, up to 198 of 197/;
    await doctor(CROWDED, 'set max_connections of PostgreSQL to 219 or more');
  });
});

describe.skipIf(POSTGRES_MISSING !== null)('a rotation over several machines', () => {
  const keysIn = (file: string) => parseKeyring(readFileSync(file, 'utf8'))?.keys.map(({ kid }) => kid) ?? [];

  it('is refused until every server has the key, and then reseals every token', async () => {
    const operator = await setUp();
    const { ops, printed, json } = operator;
    await ops(['init']);
    await operator.addTokens(3);
    expect(await printed(['vault', 'rotate'])).toMatch(
      /^2 .*There is no new key on the keyring: run ops vault rotate --prepare/s,
    );
    const [old = ''] = keysIn(keyring);
    const { key: kid } = await json<{ key: string }>(['vault', 'rotate', '--prepare']);
    // Again is not another.
    expect(await json(['vault', 'rotate', '--prepare'])).toMatchObject({ key: kid });
    expect(keysIn(keyring)).toEqual([old, kid]);
    // Until then the old one is used.
    await ops(['tokens', 'add'], { input: site.sandbox.mintToken(7) });
    const keys = async () =>
      (await json<{ keys: { key: string; token_count: number }[] }>(['vault', 'status'])).keys;
    expect(await keys()).toMatchObject([{ key: old, token_count: 4 }]);

    await operator.putServers(old, 'far');
    expect(await printed(['vault', 'rotate'])).toBe(
      `2 The key ${kid} is not on the keyring of far yet: copy the keyring there; a running server notices it within seconds.`,
    );
    expect(await keys()).toMatchObject([{ key: old, token_count: 4 }]);
    await operator.putServers(`${old} ${kid}`, 'far');
    expect(await json(['vault', 'rotate'])).toMatchObject({
      key: kid,
      resealed_token_count: 4,
      unreadable_token_count: 0,
      resumed: false,
    });
    expect(await keys()).toMatchObject([
      { key: old, token_count: 0 },
      { key: kid, token_count: 4 },
    ]);
  });

  it('leaves a machine with the old keyring to be refused, and one with a retired key in peace', async () => {
    const operator = await setUp();
    const { ops, json } = operator;
    await ops(['init']);
    await operator.addTokens(1);
    const [old = ''] = keysIn(keyring);
    const copy = `${keyring}.copy`;
    copyFileSync(keyring, copy);
    await ops(['vault', 'rotate', '--prepare']);
    const both = `${keyring}.both`;
    copyFileSync(keyring, both);
    await ops(['vault', 'rotate']);
    expect(await ops(['tokens', 'list'], { env: { KEYRING_FILE: copy } })).toMatchObject({ exitCode: 72 });
    expect(await ops(['vault', 'retire', old, '--yes'])).toMatchObject({ exitCode: 0 });
    const { keys } = await json<{ keys: object[] }>(['vault', 'status'], { env: { KEYRING_FILE: both } });
    expect(keys).toHaveLength(1);
    // Nor does it come back from there.
    expect((await json<{ keys: object[] }>(['vault', 'status'])).keys).toHaveLength(1);
    expect(await ops(['vault', 'rotate'], { env: { KEYRING_FILE: both } })).toMatchObject({ exitCode: 2 });
  });
});
