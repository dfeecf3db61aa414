import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lockFolder } from '#server/storage/data-folder.ts';
import { inspectPostgres, openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { usePostgres } from '#test/support/databases.ts';
import { useOperator } from '#test/support/operator.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';

const postgres = usePostgres();

/** A site on one machine, with something of everything. */
const site = useOperator(async ({ ops, json, look, fill }) => {
  await fill();
  const { tokens } = await json<{ tokens: { id: string }[] }>(['tokens', 'list']);
  await ops(['tokens', 'remove', tokens[0]?.id ?? '', '--yes']);
  await look(({ vanityLinks }) => vanityLinks.update('snow', { donor: 'Zoë ☃', amount_eur: 18.5 }));
});
const { ops, printed, json, dataDir, database, elsewhere } = site;
const newDatabase = async () => ({ DATABASE_URL: await (await postgres()).newDatabase() });
const move = (env = {}, word = '--yes') => printed(['restore', database, word], { env });
const recordsIn = async (env = {}) => {
  const { records } = await json<{ records: Record<string, unknown> }>(['status'], { env });
  const { servers: _servers, lost_servers: _lost, version: _version, ...counts } = records;
  return counts;
};
const rowsOf = async (url: string, table: 'withdrawn' | 'donated_token') => {
  const { database } = await openPostgresDatabase(url);
  const rows = await database.selectFrom(table).selectAll().execute();
  await database.destroy();
  return rows;
};
const isHere = (): boolean => readdirSync(dataDir).includes('whoflake.sqlite');

describe.skipIf(POSTGRES_MISSING !== null)('a restore into PostgreSQL', () => {
  // Its start counts for no test.
  beforeAll(async () => void (await postgres()));

  it('all records are brought to PostgreSQL, the file is set aside, and a crash half way does no harm', async () => {
    const env = await newDatabase();
    const before = await recordsIn();
    expect(before).toMatchObject({ token_count: 1, opt_out_count: 1, removed_token_count: 1 });
    const moved = await move(env);
    expect(moved).toMatch(
      /^0 The backup was restored, and is in PostgreSQL at .*: 1 token, .*Left for you: of PostgreSQL/s,
    );
    expect(await recordsIn(env)).toEqual(before);
    expect(isHere()).toBe(false);
    expect(await json(['tokens', 'list'], { env })).toMatchObject({ tokens: [{ opens: true }] });
    const inFile = readFileSync(join(dataDir, 'withdrawn.txt'), 'utf8').trim();
    expect(await rowsOf(env.DATABASE_URL, 'withdrawn')).toMatchObject([{ row_id: inFile }]);
    expect(await ops(['tokens', 'list'])).toMatchObject({ exitCode: 80 });
    const [, aside = ''] = /The old records are in (.*):/.exec(moved) ?? [];
    for (const name of readdirSync(aside)) renameSync(join(aside, name), join(dataDir, name));
    renameSync(aside, join(elsewhere, 'aside'));
    expect(await move(env)).toMatch(/^0 .*: 1 token/s);
    expect(isHere()).toBe(false);
  });

  it('a database with other records is refused, and neither is changed', async () => {
    const env = await newDatabase();
    const other = { ...env, DATA_DIR: join(elsewhere, 'data') };
    await ops(['init'], { env: other });
    const before = await recordsIn(other);
    expect(await move(env)).toMatch(/^2 .*has records already, and others than these: create an empty one/s);
    expect(await recordsIn(other)).toEqual(before);
    expect(isHere()).toBe(true);
  });

  it('nothing is moved without a keyring or a database, nor beside a server', async () => {
    const env = await newDatabase();
    {
      using _server = lockFolder(dataDir);
      expect(await move(env)).toMatch(/^79 /);
      expect(await move(env, '--dry-run')).toMatch(/^0 The backup is good: 1 token, /);
    }
    expect(await move({ ...env, KEYRING_FILE: join(elsewhere, 'none') })).toMatch(/^70 /);
    expect(await inspectPostgres(env.DATABASE_URL)).toEqual({ kind: 'absent' });
    expect(isHere()).toBe(true);
  });
});
