// @module-tag slow
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { createNodeStore } from '#server/nodes/node-store.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { usePostgres } from '#test/support/databases.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startOps } from '#test/support/ops-process.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestNode } from './test-node.ts';

const postgres = usePostgres();
const sandbox = createSandbox();
const urls = await sandbox.listen();
afterAll(() => sandbox.close());

const newFolder = (): string => {
  const folder = temporaryFolder();
  onTestFinished(folder[Symbol.dispose]);
  return folder.path;
};
const begin = async () => {
  const [url, folder] = [await (await postgres()).newDatabase(), newFolder()];
  const env = { DATABASE_URL: url, DATA_DIR: folder, KEYRING_FILE: join(folder, 'ring') };
  return { url, folder, env };
};
const initVault = async (env: Readonly<Record<string, string>>): Promise<void> =>
  expect(await startOps(['init'], { env }).ended).toMatchObject({ exitCode: 0 });
const serversAt = async (url: string): Promise<readonly string[]> => {
  const { database } = await openPostgresDatabase(url);
  const live = await createNodeStore(database).live();
  await database.destroy();
  return live.map(({ name }) => name);
};

describe.skipIf(POSTGRES_MISSING !== null)('with the records in PostgreSQL', () => {
  it('a backup that is restored revives nothing once a machine with its list starts', async () => {
    const { env, url } = await begin();
    await initVault(env);
    const programs = newFolder();
    (await postgres()).installPrograms(programs);
    const run = (program: string, ...args: string[]) => execFileSync(join(programs, program), args);
    const dump = join(newFolder(), 'whoflake.dump');
    const site = { sandbox, urls, env: { ...env, BOT_TOKENS: '' } };
    {
      await using node = await startTestNode(site);
      expect((await node.donate(sandbox.mintToken(4))).status).toBe(201);
      const { receipt } = await node.donate(sandbox.mintToken(5));
      run('pg_dump', '--format=custom', `--file=${dump}`, url);
      expect(await node.withdraw(receipt)).toBe(200);
    }
    run('pg_restore', '--clean', '--if-exists', '--no-owner', '--exit-on-error', `--dbname=${url}`, dump);
    await using again = await startTestNode(site);
    // Not the counts: what the servers know of tokens was restored too, with those that none of them has any more.
    await vi.waitFor(async () => expect(await again.app.pool.list()).toHaveLength(1), EVENTUALLY);
    expect(await again.records.donatedTokens.all()).toHaveLength(1);
  });
});

describe.skipIf(POSTGRES_MISSING !== null)('the process with its records in PostgreSQL', () => {
  it('begins after vault init, runs beside others, and is on the list for as long as it runs', async () => {
    const { url, folder, env } = await begin();
    await using early = startAppProcess(env);
    expect(await early.ended).toMatchObject({
      exitCode: 70,
      stderr: expect.stringMatching(/^Whoflake could not start\. There is no keyring .*ops init\.\n$/),
    });
    await initVault(env);
    await using first = startAppProcess(env);
    await first.origin;
    const other = join(folder, 'other');
    mkdirSync(other);
    await using second = startAppProcess({ ...env, DATA_DIR: other });
    const origin = await second.origin;
    expect((await fetch(`${origin}/challenge`)).status).toBe(200);
    expect(await serversAt(url)).toHaveLength(2);
    for (const server of [first, second]) server.signal('SIGTERM');
    for (const server of [first, second]) expect((await server.ended).exitCode).toBe(0);
    expect(await serversAt(url)).toEqual([]);
  });

  it('leaves the list if its port is taken', async () => {
    const { url, env } = await begin();
    await initVault(env);
    const [, port = ''] = /:(\d+)\//.exec(urls.apiUrl) ?? [];
    await using server = startAppProcess({ ...env, PORT: port });
    expect(await server.ended).toMatchObject({ exitCode: 82 });
    expect(await serversAt(url)).toEqual([]);
  });

  it('is told apart from a start that cannot work: tried again later, with no word of the password', async () => {
    const { folder, env } = await begin();
    await initVault(env);
    copyFileSync(env.KEYRING_FILE, join(folder, 'copy'));
    await using down = startAppProcess({ ...env, DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' });
    const end = await down.ended;
    expect(end).toMatchObject({
      exitCode: 69,
      stderr: expect.stringContaining('127.0.0.1:1/x cannot be used now'),
    });
    expect(down.output()).not.toContain('hunter2');
  });
});
