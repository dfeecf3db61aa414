import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createNodeStore } from '#server/storage/node-store.ts';
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
const { keyring } = site;

/** Commands for records in a new database of PostgreSQL, and what is in it, on a connection of its own. */
const setUp = async () => {
  const url = await (await postgres()).newDatabase();
  const withUrl = (env: OpsOptions['env'] = {}) => ({ env: { DATABASE_URL: url, ...env } });
  const withDatabase = async (work: (database: Database) => Promise<unknown>) => {
    const { database } = await openPostgresDatabase(url);
    await work(database);
    await database.destroy();
  };
  return {
    url,
    printed: (line: string, env = {}) => site.printed(line.split(' '), withUrl(env)),
    json: <T>(line: string, env = {}) => site.json<T>(line.split(' '), withUrl(env)),
    addTokens: (count: number) => site.addTokens(count, withUrl().env),
    withDatabase,
    /** Servers that run on these records. */
    putServers: (...names: readonly string[]) =>
      withDatabase(async (database) => {
        for (const name of names) await createNodeStore(database).put({ id: name, name, version: '1' });
      }),
  };
};

const keysIn = (file: string) => parseKeyring(readFileSync(file, 'utf8'))?.keys.map(({ kid }) => kid) ?? [];

describe.skipIf(POSTGRES_MISSING !== null)('with the records in PostgreSQL', () => {
  // Its start counts for no test.
  beforeAll(async () => void (await postgres()));

  it('a site begins with init, once, and commands then work as with a file', async () => {
    const { url, printed, json, addTokens } = await setUp();
    expect(await printed('tokens list')).toMatch(
      /^80 The PostgreSQL database .* has no records of this site: .*a new site begins with ops init/,
    );
    expect(await inspectPostgres(url)).toEqual({ kind: 'absent' });
    expect(await printed('init')).toMatch(/^0 .*copy it to every machine of this site/s);
    expect(await printed('init')).toMatch(/^0 There is already a site .*: nothing was changed\./);
    await addTokens(2);
    const { tokens } = await json<{ tokens: { id: string; opens: boolean }[] }>('tokens list');
    expect(tokens.map(({ opens }) => opens)).toEqual([true, true]);
    expect(await printed(`tokens remove ${tokens[0]?.id} --yes`)).toMatch(/^0 /);
    expect(await json('status')).toMatchObject({ records: { token_count: 1, removed_token_count: 1 } });
    expect(existsSync(site.database)).toBe(false);
  });

  it('a keyring without its database is not used with an empty one, unless init says so', async () => {
    await (await setUp()).printed('init');
    const second = await setUp();
    expect(await second.printed('status')).toMatch(
      /^80 .*has no records of this site: check DATABASE_URL; a new site begins with ops init/s,
    );
    expect(await inspectPostgres(second.url)).toEqual({ kind: 'absent' });
    const before = readFileSync(keyring, 'utf8');
    expect(await second.printed('init')).toMatch(/^0 /);
    expect(readFileSync(keyring, 'utf8')).toBe(before);
  });

  it('the doctor knows who runs on the records, and whom something is missing', async () => {
    const { printed, putServers, withDatabase } = await setUp();
    await printed('init');
    expect(await printed('doctor')).toMatch(
      /ok +records +in PostgreSQL at .*\nwarning +role +whoflake is a superuser of PostgreSQL\nok +servers +none running/,
    );
    await putServers('one', 'two', 'lost');
    const seen_at = new Date('2026-11-17T03:00:00Z');
    await withDatabase((database) =>
      database.updateTable('node').set({ seen_at }).where('name', '=', 'lost').execute(),
    );
    const missed = 'lost was last seen at 2026-11-17T03:00:00.000Z';
    expect(await printed('doctor')).toMatch(new RegExp(`^warning +servers +${missed}$`, 'm'));
    await printed('status --forget lost');
    expect(await printed('doctor')).toMatch(/ok +servers +one \(1\), two \(1\)/);
  });

  it('a rotation is refused while a server runs anywhere, and a machine with the old keyring then is', async () => {
    const { printed, json, addTokens, putServers, withDatabase } = await setUp();
    await printed('init');
    await addTokens(3);
    const [old = ''] = keysIn(keyring);
    const copy = `${keyring}.copy`;
    copyFileSync(keyring, copy);
    await putServers('far');
    expect(await printed('vault rotate')).toBe(
      '79 Servers are running on these records: far: stop them all first; one that was killed is forgotten after 10 seconds.',
    );
    expect(keysIn(keyring)).toEqual([old]);
    await withDatabase((database) => createNodeStore(database).remove('far'));
    expect(await printed('vault rotate')).toMatch(/^0 .*\n3 tokens sealed with it\.$/);
    const [, key] = keysIn(keyring);
    expect(await printed('vault status')).toMatch(
      new RegExp(`^0 .*\n${old} +\\S+ +0 +no\n${key} +\\S+ +3 +yes\n`),
    );
    expect(await printed('tokens list', { KEYRING_FILE: copy })).toMatch(/^72 .*older copy/);
    expect(await printed(`vault retire ${old} --yes`)).toMatch(/^0 /);
    expect(await json('tokens list')).toMatchObject({ tokens: [1, 2, 3].map(() => ({ opens: true })) });
  });
});
