import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockFolder } from '#server/storage/folder-lock.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { usePostgres } from '#test/support/databases.ts';
import { startOperator, type Operator } from '#test/support/operator.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';

const postgres = usePostgres();

/** A site on one machine, with something of everything. */
const setUp = async () => {
  const operator = await startOperator();
  await operator.ops(['tokens', 'add'], {
    input: [1, 2, 3].map((n) => operator.sandbox.mintToken(n)).join('\n'),
    env: { EGRESS_PER_SECOND: '10000' },
  });
  await operator.ops(['optout', 'add', '441997505123577857']);
  const { tokens } = await operator.json<{ tokens: { id: string }[] }>(['tokens', 'list']);
  await operator.ops(['tokens', 'remove', tokens[0]?.id ?? '', '--yes']);
  await operator.look(({ vanityLinks }) =>
    vanityLinks.add({
      name: 'snow',
      invite_code: 'snow',
      guild_id: '1',
      paused_because: null,
      checked_at: '2026-11-15T00:00:00.000Z',
      created_day: '2026-11-15',
      donor: 'Zoë ☃',
      amount_eur: 18.5,
      donated_on: null,
    }),
  );
  const url = await (await postgres()).newDatabase();
  return { ...operator, url, env: { DATABASE_URL: url } };
};

const recordsOf = ({ json }: Operator, env = {}) =>
  json<{ records: Record<string, unknown> }>(['status'], { env }).then(
    ({ records: { version: _version, servers: _servers, ...rest } }) => rest,
  );
const files = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('whoflake.sqlite'));

describe.skipIf(POSTGRES_MISSING !== null)('move-records', () => {
  it('brings all there is to PostgreSQL, and sets the file aside', async () => {
    await using operator = await setUp();
    const { ops, env, dataDir } = operator;
    const before = await recordsOf(operator);
    expect(before).toMatchObject({ tokens: 2, opt_outs: 1, links: { active: 1 }, retired: { operator: 1 } });
    const end = await ops(['move-records'], { env });
    expect(end).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^The records are now in PostgreSQL at .*, and each row was compared: 2 tokens, 1 vanity link, 1 opt-out\.\nThe old files are in .*moved-/,
      ),
    });
    expect(await recordsOf(operator, env)).toEqual(before);
    expect(files(dataDir)).toEqual([]);
    const { tokens } = await operator.json<{ tokens: { opens: boolean }[] }>(['tokens', 'list'], { env });
    expect(tokens.map(({ opens }) => opens)).toEqual([true, true]);
    // What was withdrawn is known there too.
    const { database } = await openPostgresDatabase(operator.url);
    const listed = await database.selectFrom('withdrawn').select('row_id').execute();
    await database.destroy();
    const inFile = readFileSync(join(dataDir, 'withdrawn.txt'), 'utf8').split('\n').filter(Boolean);
    expect(listed.map(({ row_id }) => row_id)).toEqual(inFile);
    // Nobody begins with what was left behind.
    expect(await ops(['tokens', 'list'])).toMatchObject({ exitCode: 80 });
    expect(await ops(['move-records'], { env })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('to move: check DATA_DIR'),
    });
  });

  it('finishes what a crash left half way', async () => {
    await using operator = await setUp();
    const { ops, env, dataDir } = operator;
    await ops(['move-records'], { env });
    const moved = readdirSync(dataDir).find((name) => name.startsWith('moved-')) ?? '';
    for (const name of readdirSync(join(dataDir, moved)))
      renameSync(join(dataDir, moved, name), join(dataDir, name));
    rmSync(join(dataDir, moved), { recursive: true });
    expect(await ops(['move-records'], { env })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('already, each row as it is here: 2 tokens'),
    });
    expect(files(dataDir)).toEqual([]);
  });

  it('refuses a database with other records, and changes neither', async () => {
    await using operator = await setUp();
    await using other = await setUp();
    await other.ops(['move-records'], { env: operator.env });
    const before = await recordsOf(other, operator.env);
    expect(await operator.ops(['move-records'], { env: operator.env })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('has records already, and others than these: create an empty one'),
    });
    expect(await recordsOf(other, operator.env)).toEqual(before);
    expect(files(operator.dataDir)).toContain('whoflake.sqlite');
  });

  it('refuses while a server runs, without DATABASE_URL and without a keyring', async () => {
    await using operator = await setUp();
    const { ops, env, dataDir, config } = operator;
    expect(await ops(['move-records'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('DATABASE_URL is not set'),
    });
    {
      using _server = lockFolder(dataDir);
      expect(await ops(['move-records'], { env })).toMatchObject({ exitCode: 79 });
    }
    renameSync(config.keyringFile, `${config.keyringFile}.away`);
    expect(await ops(['move-records'], { env })).toMatchObject({ exitCode: 70 });
    expect(files(dataDir)).toContain('whoflake.sqlite');
  });

  it('leaves nothing behind if a row does not fit, and says where it is', async () => {
    await using operator = await setUp();
    const { ops, env, look } = operator;
    await look(({ vanityLinks }) => vanityLinks.update('snow', { donor: 'x'.repeat(201) }));
    expect(await ops(['move-records'], { env })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('PostgreSQL cannot take a text in vanity_link'),
    });
    const { database } = await openPostgresDatabase(operator.url);
    expect(await database.selectFrom('donated_token').selectAll().execute()).toEqual([]);
    await database.destroy();
    // Half a move is no place to begin from.
    expect(await ops(['tokens', 'list'], { env })).toMatchObject({ exitCode: 80 });
    await look(({ vanityLinks }) => vanityLinks.update('snow', { donor: 'x' }));
    expect(await ops(['move-records'], { env })).toMatchObject({ exitCode: 0 });
  });

  it('makes no folder where there is nothing to move', async () => {
    await using operator = await startOperator();
    const dataDir = join(operator.dataDir, 'nothing');
    mkdirSync(dataDir);
    const env = { DATA_DIR: dataDir, DATABASE_URL: await (await postgres()).newDatabase() };
    expect(await operator.ops(['move-records'], { env })).toMatchObject({ exitCode: 2 });
    expect(existsSync(join(dataDir, 'whoflake.sqlite'))).toBe(false);
  });
});
