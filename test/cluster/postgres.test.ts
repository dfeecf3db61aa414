// @module-tag slow
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createNodeStore } from '#server/storage/node-store.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { usePostgres } from '#test/support/databases.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { beginSite, startTestNode, useNodePlatform } from '#test/support/test-node.ts';

const postgres = usePostgres();
const platform = await useNodePlatform();

// Some ten processes, one after the other.
describe.skipIf(POSTGRES_MISSING !== null)('with the records in PostgreSQL', { timeout: 180_000 }, () => {
  it('a backup that is restored revives nothing, and is used once the operator says so', async () => {
    const { newDatabase } = await postgres();
    const { env, folder } = await beginSite(await newDatabase());
    const site = (url: string) => ({ ...platform, env: { ...env, DATA_DIR: folder, DATABASE_URL: url } });
    const url = env['DATABASE_URL'] ?? '';
    let receipt = '';
    {
      await using node = await startTestNode(site(url));
      expect((await node.donate(platform.sandbox.mintToken(4))).status).toBe(201);
      ({ receipt } = await node.donate(platform.sandbox.mintToken(5)));
    }
    // As it was before the withdrawal.
    const backup = await newDatabase(url);
    {
      await using node = await startTestNode(site(url));
      expect(await node.withdraw(receipt)).toBe(200);
    }
    await using again = await startTestNode(site(backup));
    expect(await again.app.pool.list()).toEqual([]);
    await again.records.withdrawn.release();
    // Not the counts: what the servers know of tokens was restored too, with those that none of them has any more.
    await vi.waitFor(async () => expect(await again.app.pool.list()).toHaveLength(1), EVENTUALLY);
    expect(await again.records.donatedTokens.all()).toHaveLength(1);
  });

  it('a server begins after ops init, and is on the list of servers for as long as it runs', async () => {
    using folder = temporaryFolder();
    const url = await (await postgres()).newDatabase();
    await using early = startAppProcess({ DATABASE_URL: url, KEYRING_FILE: join(folder.path, 'ring') });
    expect(await early.ended).toMatchObject({
      exitCode: 80,
      stderr: expect.stringMatching(
        /^Whoflake could not start\. The PostgreSQL .* a new site begins with ops init/,
      ),
    });
    const { env } = await beginSite(url);
    const { database } = await openPostgresDatabase(url);
    const servers = async () => (await createNodeStore(database).live()).length;
    await using first = startAppProcess(env);
    const { port } = new URL(await first.origin);
    await using second = startAppProcess(env);
    expect((await fetch(`${await second.origin}/challenge`)).status).toBe(200);
    // One that cannot listen leaves the list again.
    await using third = startAppProcess({ ...env, PORT: port });
    expect(await third.ended).toMatchObject({ exitCode: 82 });
    expect(await servers()).toBe(2);
    for (const server of [first, second]) server.signal('SIGTERM');
    for (const server of [first, second]) expect((await server.ended).exitCode).toBe(0);
    expect(await servers()).toBe(0);
    await database.destroy();
  });
});
