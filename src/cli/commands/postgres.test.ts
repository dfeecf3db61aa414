import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNodeStore } from '#server/nodes/node-store.ts';
import { inspectPostgres, openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { parseKeyring } from '#server/vault/keyring.ts';
import { usePostgres } from '#test/support/databases.ts';
import { startOperator, type Operator } from '#test/support/operator.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';

const postgres = usePostgres();

/** An operator whose records are in PostgreSQL, and what is in it, on a connection of its own. */
const setUp = async () => {
  const url = await (await postgres()).newDatabase();
  const operator = await startOperator({ DATABASE_URL: url });
  return {
    ...operator,
    url,
    withDatabase: async <T>(
      work: (database: Awaited<ReturnType<typeof openPostgresDatabase>>['database']) => Promise<T>,
    ) => {
      const { database } = await openPostgresDatabase(url);
      try {
        return await work(database);
      } finally {
        await database.destroy();
      }
    },
  };
};
const addTokens = ({ ops, sandbox }: Operator, count: number) =>
  ops(['tokens', 'add'], {
    input: Array.from({ length: count }, (_, n) => sandbox.mintToken(n)).join('\n'),
    env: { EGRESS_PER_SECOND: '10000' },
  });

describe.skipIf(POSTGRES_MISSING !== null)('with the records in PostgreSQL', () => {
  it('a site begins with vault init, once, and commands then work as with a file', async () => {
    await using operator = await setUp();
    const { ops, json, config } = operator;
    expect(await ops(['tokens', 'list'])).toMatchObject({
      exitCode: 70,
      stderr: `There is no keyring ${config.keyringFile}: copy it from another machine of this site, or begin a new site with ops vault init.\n`,
    });
    expect(await inspectPostgres(operator.url)).toEqual({ kind: 'absent' });
    expect(await ops(['vault', 'init'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('copy it to every machine of this site'),
    });
    expect(await ops(['vault', 'init'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is already a keyring'),
    });
    await addTokens(operator, 2);
    await ops(['optout', 'add', '441997505123577857']);
    const status = await json<{ records: object }>(['status']);
    expect(status.records).toMatchObject({ tokens: 2, opt_outs: 1, version: 5, servers: [] });
    const { stdout } = await ops(['status']);
    expect(stdout).toMatch(/^Database +in PostgreSQL at 127\.0\.0\.1:\d+\/test_\d+_\d+, version 5$/m);
    expect(stdout).toContain('Backup       with pg_dump; see ops backup');
    const { tokens } = await json<{ tokens: { id: string; opens: boolean }[] }>(['tokens', 'list']);
    expect(tokens.map(({ opens }) => opens)).toEqual([true, true]);
    expect(await ops(['tokens', 'remove', tokens[0]?.id ?? '', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(await json(['status'])).toMatchObject({ records: { tokens: 1, retired: { operator: 1 } } });
    expect(await ops(['migrate'])).toMatchObject({ stdout: 'The database is up to date, at version 5.\n' });
    expect(existsSync(join(operator.dataDir, 'whoflake.sqlite'))).toBe(false);
  });

  it('no command replaces a lost keyring', async () => {
    await using operator = await setUp();
    await operator.ops(['init']);
    rmSync(operator.config.keyringFile);
    for (const argv of [['vault', 'init'], ['init'], ['tokens', 'list'], ['migrate']])
      expect((await operator.ops(argv)).exitCode).not.toBe(0);
    expect(await operator.ops(['vault', 'init'])).toMatchObject({
      exitCode: 70,
      stderr: expect.stringContaining('but the database was written with one: put it back'),
    });
    expect(existsSync(operator.config.keyringFile)).toBe(false);
  });

  it('a keyring without its database is not used with an empty one, unless init says so', async () => {
    await using first = await setUp();
    await first.ops(['init']);
    await using second = await setUp();
    copyFileSync(first.config.keyringFile, second.config.keyringFile);
    expect(await second.ops(['status'])).toMatchObject({
      exitCode: 80,
      stderr: expect.stringMatching(
        /has no records of this site: check DATABASE_URL; a new site begins with ops init/,
      ),
    });
    expect(await inspectPostgres(second.url)).toEqual({ kind: 'absent' });
    const before = readFileSync(second.config.keyringFile, 'utf8');
    expect((await second.ops(['init'])).exitCode).toBe(0);
    expect(readFileSync(second.config.keyringFile, 'utf8')).toBe(before);
    expect(await second.ops(['init'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There are already records in PostgreSQL'),
    });
  });

  it.each([
    [
      ['backup', 'x.sqlite'],
      /back them up with pg_dump --format=custom --file=whoflake\.dump "\$DATABASE_URL"/,
    ],
    [['backup', '--into', '.'], /pg_dump/],
    [
      ['restore', 'x.sqlite', '--yes'],
      /stop every server, run pg_restore --clean .*, then start first the machine/,
    ],
    [['init', '--from', 'x.sqlite', '--yes'], /run this without DATABASE_URL, then bring what it made there/],
  ])('%j says what to do instead, and touches no file', async (argv, sentence) => {
    await using operator = await setUp();
    await operator.ops(['init']);
    writeFileSync(join(operator.dataDir, 'whoflake.sqlite'), 'left from before');
    const before = readdirSync(operator.dataDir);
    const end = await operator.ops(argv);
    expect(end).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(sentence) });
    expect(end.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(readdirSync(operator.dataDir)).toEqual(before);
  });

  it('a schema of another version is told by status, doctor and migrate', async () => {
    await using operator = await setUp();
    await operator.ops(['init']);
    await operator.withDatabase((database) =>
      database.insertInto('schema_migration').values({ number: 999, name: 'x' }).execute(),
    );
    expect(await operator.ops(['status'])).toMatchObject({ exitCode: 75 });
    expect((await operator.ops(['doctor'])).stdout).toContain('is version 999, which is too new');
    expect(await operator.ops(['migrate'])).toMatchObject({ exitCode: 75 });
  });

  it('a database that cannot be reached is one sentence, without the password, for every command', async () => {
    await using operator = await setUp();
    await operator.ops(['init']);
    const env = { DATABASE_URL: 'postgres://whoflake:hunter2@127.0.0.1:1/site' };
    for (const argv of [['status'], ['tokens', 'list'], ['migrate'], ['init'], ['vault', 'status']]) {
      const end = await operator.ops(argv, { env });
      expect(end).toMatchObject({
        exitCode: 69,
        stderr:
          'The PostgreSQL database 127.0.0.1:1/site cannot be used now (ECONNREFUSED): check that PostgreSQL is running and can be reached, and DATABASE_URL.\n',
      });
    }
    const { stdout } = await operator.ops(['doctor'], { env });
    expect(stdout).toMatch(
      /failed +database +The PostgreSQL database 127\.0\.0\.1:1\/site cannot be used now/,
    );
    expect(stdout).not.toContain('hunter2');
  });

  it('the doctor knows who runs on the records, and whom something is missing', async () => {
    await using operator = await setUp();
    await operator.ops(['init']);
    const doctor = async () => (await operator.ops(['doctor'])).stdout;
    expect(await doctor()).toMatch(/ok +database +in PostgreSQL at .*, version 5\nok +servers +none running/);
    const put = (name: string, shared: boolean, kids: string) =>
      operator.withDatabase((database) =>
        createNodeStore(database).put({ id: name, name, shared, kids, version: '1' }),
      );
    await put('one', true, 'k');
    await put('two', true, 'k');
    expect(await doctor()).toMatch(/ok +servers +one \(1\), two \(1\)/);
    await put('two', true, 'k l');
    expect(await doctor()).toMatch(/failed +servers +their keyrings differ/);
    await put('two', false, 'k');
    expect(await doctor()).toMatch(/failed +servers +two without SHARED_STATE_URL beside others/);
  });
});

describe.skipIf(POSTGRES_MISSING !== null)('a rotation over several machines', () => {
  const keysIn = (file: string) => parseKeyring(readFileSync(file, 'utf8'))?.keys.map(({ kid }) => kid) ?? [];

  it('is refused until every server has the key, and then reseals every token', async () => {
    await using operator = await setUp();
    const { ops, json, config } = operator;
    await ops(['init']);
    await addTokens(operator, 3);
    expect(await ops(['vault', 'rotate'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no new key on the keyring: run ops vault add-key'),
    });
    const [old = ''] = keysIn(config.keyringFile);
    const { kid } = await json<{ kid: string }>(['vault', 'add-key']);
    // Again is not another.
    expect(await json(['vault', 'add-key'])).toMatchObject({ kid });
    expect(keysIn(config.keyringFile)).toEqual([old, kid]);
    // Until then the old one is used.
    await ops(['tokens', 'add'], { input: operator.sandbox.mintToken(7) });
    const keys = async () =>
      (await json<{ keys: { kid: string; tokens: number }[] }>(['vault', 'status'])).keys;
    expect(await keys()).toMatchObject([{ kid: old, tokens: 4 }]);

    const put = (kids: string) =>
      operator.withDatabase((database) =>
        createNodeStore(database).put({ id: 'n', name: 'far', shared: true, kids, version: '1' }),
      );
    await put(old);
    expect(await ops(['vault', 'rotate'])).toMatchObject({
      exitCode: 2,
      stderr: `The key ${kid} is not on the keyring of far yet: copy the keyring there; a running server notices it within seconds.\n`,
    });
    expect(await keys()).toMatchObject([{ kid: old, tokens: 4 }]);
    await put(`${old} ${kid}`);
    expect(await json(['vault', 'rotate'])).toMatchObject({
      kid,
      resealed: 4,
      unreadable: 0,
      resumed: false,
    });
    expect(await keys()).toMatchObject([
      { kid: old, tokens: 0 },
      { kid, tokens: 4 },
    ]);
  });

  it('leaves a machine with the old keyring to be refused, and one with a retired key in peace', async () => {
    await using operator = await setUp();
    const { ops, json, config } = operator;
    await ops(['init']);
    await addTokens(operator, 1);
    const [old = ''] = keysIn(config.keyringFile);
    const copy = `${config.keyringFile}.copy`;
    copyFileSync(config.keyringFile, copy);
    await ops(['vault', 'add-key']);
    const both = `${config.keyringFile}.both`;
    copyFileSync(config.keyringFile, both);
    await ops(['vault', 'rotate']);
    expect(await ops(['tokens', 'list'], { env: { KEYRING_FILE: copy } })).toMatchObject({ exitCode: 72 });
    expect(await ops(['vault', 'retire', old, '--yes'])).toMatchObject({ exitCode: 0 });
    const { keys } = await json<{ keys: object[] }>(['vault', 'status'], { env: { KEYRING_FILE: both } });
    expect(keys).toHaveLength(1);
    // Nor does it come back from there.
    expect((await json<{ keys: object[] }>(['vault', 'status'])).keys).toHaveLength(1);
    expect(await ops(['vault', 'rotate'], { env: { KEYRING_FILE: both } })).toMatchObject({ exitCode: 2 });
  });

  it('has one step less without DATABASE_URL', async () => {
    await using operator = await startOperator();
    await operator.ops(['init']);
    expect(await operator.ops(['vault', 'add-key'])).toMatchObject({
      exitCode: 2,
      stderr: 'Without DATABASE_URL one step is enough: run vault rotate.\n',
    });
  });
});
