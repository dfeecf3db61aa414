import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockFolder } from '#server/storage/folder-lock.ts';
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
const { ops, printed, json, look, dataDir, elsewhere } = site;
const newDatabase = async () => ({ DATABASE_URL: await (await postgres()).newDatabase() });
const move = (env: Readonly<Record<string, string>> = {}) => printed(['move-records', '--yes'], { env });
const recordsIn = async (env = {}) => {
  const { records } = await json<{ records: Record<string, unknown> }>(['status'], { env });
  const { version: _version, servers: _servers, lost_servers: _lost, ...rest } = records;
  return rest;
};
const rowsOf = async (url: string, table: 'withdrawn' | 'donated_token') => {
  const { database } = await openPostgresDatabase(url);
  const rows = await database.selectFrom(table).selectAll().execute();
  await database.destroy();
  return rows;
};
const databaseFiles = () => readdirSync(dataDir).filter((name) => name.startsWith('whoflake.sqlite'));

describe.skipIf(POSTGRES_MISSING !== null)('move-records', () => {
  it('brings all there is to PostgreSQL, and sets the file aside', async () => {
    const env = await newDatabase();
    const before = await recordsIn();
    expect(before).toMatchObject({
      token_count: 1,
      opt_out_count: 1,
      active_link_count: 1,
      removed_token_count: 1,
    });
    expect(await move(env)).toMatch(
      /^0 The records are now in PostgreSQL at .*, and each row was compared: 1 token, 1 vanity link, 1 opt-out\.\nThe old files are in .*moved-/,
    );
    expect(await recordsIn(env)).toEqual(before);
    expect(databaseFiles()).toEqual([]);
    expect(await json(['tokens', 'list'], { env })).toMatchObject({ tokens: [{ opens: true }] });
    // What was withdrawn is known there too.
    const inFile = readFileSync(join(dataDir, 'withdrawn.txt'), 'utf8').trim();
    expect(await rowsOf(env.DATABASE_URL, 'withdrawn')).toMatchObject([{ row_id: inFile }]);
    // Nobody begins with what was left behind.
    expect(await ops(['tokens', 'list'])).toMatchObject({ exitCode: 80 });
    expect(await move(env)).toMatch(
      /^0 There is no database in .*: the records are in PostgreSQL at .* already\.$/,
    );
  });

  it('finishes what a crash left half way', async () => {
    const env = await newDatabase();
    await move(env);
    const moved = readdirSync(dataDir).find((name) => name.startsWith('moved-')) ?? '';
    for (const name of readdirSync(join(dataDir, moved)))
      renameSync(join(dataDir, moved, name), join(dataDir, name));
    rmSync(join(dataDir, moved), { recursive: true });
    expect(await move(env)).toMatch(/^0 .*already, each row as it is here: 1 token/s);
    expect(databaseFiles()).toEqual([]);
  });

  it('refuses a database with other records, and changes neither', async () => {
    const env = await newDatabase();
    const other = { ...env, DATA_DIR: join(elsewhere, 'data') };
    await ops(['init'], { env: other });
    const before = await recordsIn(other);
    expect(await move(env)).toMatch(/^2 .*has records already, and others than these: create an empty one/s);
    expect(await recordsIn(other)).toEqual(before);
    expect(databaseFiles()).toContain('whoflake.sqlite');
  });

  it('only says what it would do if it is asked to, also while a server runs', async () => {
    const env = await newDatabase();
    using _server = lockFolder(dataDir);
    expect(await printed(['move-records', '--dry-run'], { env })).toBe(
      '0 The records can be moved: 1 token, 1 vanity link, 1 opt-out. Nothing was changed.',
    );
    expect(await inspectPostgres(env.DATABASE_URL)).toEqual({ kind: 'absent' });
    expect(databaseFiles()).toContain('whoflake.sqlite');
  });

  it('refuses while a server runs, without DATABASE_URL, without a keyring and without a database', async () => {
    const env = await newDatabase();
    expect(await move()).toMatch(/^2 .*DATABASE_URL is not set/s);
    {
      using _server = lockFolder(dataDir);
      expect(await move(env)).toMatch(/^79 /);
    }
    expect(await move({ ...env, KEYRING_FILE: join(elsewhere, 'none') })).toMatch(/^70 /);
    expect(databaseFiles()).toContain('whoflake.sqlite');
    expect(await move({ ...env, DATA_DIR: elsewhere })).toMatch(/^80 /);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('leaves nothing behind if a row does not fit, and says where it is', async () => {
    const env = await newDatabase();
    await look(({ vanityLinks }) => vanityLinks.update('snow', { donor: 'x'.repeat(201) }));
    expect(await move(env)).toMatch(/^2 .*PostgreSQL cannot take a text in vanity_link/s);
    expect(await rowsOf(env.DATABASE_URL, 'donated_token')).toEqual([]);
    // Half a move is no place to begin from.
    expect(await ops(['tokens', 'list'], { env })).toMatchObject({ exitCode: 80 });
    await look(({ vanityLinks }) => vanityLinks.update('snow', { donor: 'x' }));
    expect(await move(env)).toMatch(/^0 /);
  });
});
