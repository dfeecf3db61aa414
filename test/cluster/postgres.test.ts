// @module-tag slow
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createNodeStore } from '#server/nodes/node-store.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { usePostgres } from '#test/support/databases.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { beginSite, startTestNode, useNodePlatform } from '#test/support/test-node.ts';

const postgres = usePostgres();
const platform = await useNodePlatform();
const newUrl = async (): Promise<string> => (await postgres()).newDatabase();
const serversAt = async (url: string): Promise<readonly string[]> => {
  const { database } = await openPostgresDatabase(url);
  const live = await createNodeStore(database).live();
  await database.destroy();
  return live.map(({ name }) => name);
};

describe.skipIf(POSTGRES_MISSING !== null)('with the records in PostgreSQL', () => {
  it('a backup that is restored revives nothing once a machine with its list starts', async () => {
    using programs = temporaryFolder();
    (await postgres()).installPrograms(programs.path);
    const run = (program: string, ...args: string[]) => execFileSync(join(programs.path, program), args);
    const dump = join(programs.path, 'whoflake.dump');
    const url = await newUrl();
    const { env, folder } = await beginSite(url);
    const site = { ...platform, env: { ...env, DATA_DIR: folder } };
    {
      await using node = await startTestNode(site);
      expect((await node.donate(platform.sandbox.mintToken(4))).status).toBe(201);
      const { receipt } = await node.donate(platform.sandbox.mintToken(5));
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
    using folder = temporaryFolder();
    const url = await newUrl();
    await using early = startAppProcess({ DATABASE_URL: url, KEYRING_FILE: join(folder.path, 'ring') });
    expect(await early.ended).toMatchObject({
      exitCode: 70,
      stderr: expect.stringMatching(/^Whoflake could not start\. There is no keyring .*ops init\.\n$/),
    });
    const { env } = await beginSite(url);
    await using first = startAppProcess(env);
    await first.origin;
    await using second = startAppProcess(env);
    const origin = await second.origin;
    expect((await fetch(`${origin}/challenge`)).status).toBe(200);
    expect(await serversAt(url)).toHaveLength(2);
    for (const server of [first, second]) server.signal('SIGTERM');
    for (const server of [first, second]) expect((await server.ended).exitCode).toBe(0);
    expect(await serversAt(url)).toEqual([]);
  });

  it('leaves the list if its port is taken', async () => {
    const url = await newUrl();
    const { env } = await beginSite(url);
    await using server = startAppProcess({ ...env, PORT: new URL(platform.urls.apiUrl).port });
    expect(await server.ended).toMatchObject({ exitCode: 82 });
    expect(await serversAt(url)).toEqual([]);
  });

  it('is told apart from a start that cannot work: tried again later, with no word of the password', async () => {
    const { env } = await beginSite(await newUrl());
    await using down = startAppProcess({ ...env, DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' });
    const end = await down.ended;
    expect(end).toMatchObject({
      exitCode: 69,
      stderr: expect.stringContaining('127.0.0.1:1/x cannot be used now'),
    });
    expect(down.output()).not.toContain('hunter2');
  });
});
