// @module-tag slow
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readAdmin, readMetrics } from '#test/support/admin-client.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { useOwnPostgres, usePostgres } from '#test/support/databases.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startOps } from '#test/support/ops-process.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { addVanityLink } from '#test/support/vanity-link.ts';

const postgres = usePostgres();
const ownPostgres = useOwnPostgres();
const [ID, OTHER_ID] = ['441997505123577857', '285062372123353089'];

const folders: Disposable[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder[Symbol.dispose]();
});

/** Each machine has one of its own. */
const newFolder = (): string => {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.path;
};
let seed = 10;
const startNode = (url: string, dataDir: string) => {
  seed += 1;
  return startTestApp({
    env: { DATABASE_URL: url, KEYRING_FILE: join(dataDir, 'keyring.json') },
    dataDir,
    seed,
    sandbox: {},
  });
};

const lookUp = async (test: TestApp, id: string) => (await test.settle(test.lookUp(id))).statusCode;
const healthy = ({ app }: TestApp) => app.pool.counts().healthy;

describe.skipIf(POSTGRES_MISSING !== null)('with the records in PostgreSQL', () => {
  it('a token that the platform takes counts once, on however many nodes it was', async () => {
    const [url, one, two] = [await (await postgres()).newDatabase(), newFolder(), newFolder()];
    await using first = await startNode(url, one);
    const token = first.sandbox.mintToken(5);
    await donate(first, token);
    await using second = await startTestApp({
      env: { DATABASE_URL: url, KEYRING_FILE: join(one, 'keyring.json') },
      dataDir: two,
      tokens: 0,
    });
    expect(healthy(second)).toBe(1);
    // The first has retired it, and its row is gone, when the second is told.
    const [row] = await first.records.donatedTokens.all();
    const retired_at = '2026-11-15T00:00:00.000Z';
    await first.records.retirements.add({ token_id: row?.id ?? '', retired_at, reason: 'platform' });
    await first.records.donatedTokens.remove(row?.id ?? '');
    second.sandbox.revoke(token);
    expect(await lookUp(second, ID)).toBe(503);
    await second.pass(60_000);
    await second.retiredBecomes(1);
    expect(second.app.pool.counts()).toMatchObject({ healthy: 0, suspect: 0 });
    expect((await first.records.retirements.count()).platform).toBe(1);
  });

  it('all that is in memory goes on while PostgreSQL is down, donations wait, and it recovers by itself', async () => {
    const server = await ownPostgres();
    await using test = await startNode(await server.newDatabase(), newFolder());
    await addVanityLink(test, test.system.clock.wallMs());
    const token = test.sandbox.mintToken(5);
    const { body } = await donate(test, token);
    await test.app.refresh();
    expect(await lookUp(test, ID)).toBe(200);

    await test.app.start();
    const isUp = async () => (await readMetrics(test.app)).get('whoflake_records_up') === 1;
    expect(await isUp()).toBe(true);

    await server.stop();
    expect(await lookUp(test, ID)).toBe(200);
    expect(await lookUp(test, OTHER_ID)).toBe(200);
    for (const [path, status] of [
      ['/', 200],
      ['/lounge', 302],
      ['/status.json', 200],
    ] as const)
      expect((await test.app.server.inject(path)).statusCode).toBe(status);
    const refused = [
      await donate(test, test.sandbox.mintToken(6)),
      await withdraw(test, { receipt: body['receipt'] }),
      await withdraw(test, { token: test.sandbox.mintToken(7) }),
    ];
    expect(refused.map(({ status, body: { code } }) => [status, code])).toEqual(
      refused.map(() => [503, 'storage-failed']),
    );
    expect(JSON.parse((await readAdmin(test.app, '/readyz')).text)).toMatchObject({ ready: true });
    expect(test.logs()).not.toContain('whoflake@127');

    await vi.waitFor(async () => {
      await test.pass(20_000, 5_000);
      expect(await isUp()).toBe(false);
    }, EVENTUALLY);
    expect(test.logs().match(/"event":"refresh-failed"/g)).toHaveLength(1);

    await server.restart();
    await vi.waitFor(async () => {
      await test.pass(20_000, 5_000);
      expect(await isUp()).toBe(true);
    }, EVENTUALLY);
    await vi.waitFor(
      async () => expect((await donate(test, test.sandbox.mintToken(8))).status).toBe(201),
      EVENTUALLY,
    );
    expect((await withdraw(test, { receipt: body['receipt'] })).status).toBe(200);
  });

  it('a backup that is restored revives nothing once a machine with its list starts', async () => {
    const server = await postgres();
    const [url, one, programs] = [await server.newDatabase(), newFolder(), newFolder()];
    server.installPrograms(programs);
    const dump = join(newFolder(), 'whoflake.dump');
    const env = { DATABASE_URL: url, DATA_DIR: one, KEYRING_FILE: join(one, 'keyring.json'), PATH: programs };
    {
      await using test = await startNode(url, one);
      const kept = await donate(test, test.sandbox.mintToken(4));
      const { body } = await donate(test, test.sandbox.mintToken(5));
      expect(kept.status).toBe(201);
      expect(await startOps(['backup', dump], { env }).ended).toMatchObject({ exitCode: 0 });
      await withdraw(test, { receipt: body['receipt'] });
    }
    expect(await startOps(['restore', dump, '--yes'], { env }).ended).toMatchObject({ exitCode: 0 });
    await using again = await startNode(url, one);
    // Its own and the one that was kept.
    expect(healthy(again)).toBe(2);
    expect(await again.records.donatedTokens.all()).toHaveLength(1);
    const before = await again.records.readVersion();
    expect((await donate(again, again.sandbox.mintToken(6))).status).toBe(201);
    expect(await again.records.readVersion()).not.toBe(before);
  });
});

describe.skipIf(POSTGRES_MISSING !== null)('the process with its records in PostgreSQL', () => {
  const begin = async () => {
    const [url, folder] = [await (await postgres()).newDatabase(), newFolder()];
    const env = { DATABASE_URL: url, DATA_DIR: folder, KEYRING_FILE: join(folder, 'ring') };
    return { url, folder, env };
  };

  it('begins after vault init, a command reaches it, and a second beside it is refused', async () => {
    const { url, folder, env } = await begin();
    await using early = startAppProcess(env);
    expect(await early.ended).toMatchObject({
      exitCode: 70,
      stderr: expect.stringMatching(/^Whoflake could not start\. There is no keyring .*ops vault init\.\n$/),
    });
    expect(await startOps(['vault', 'init'], { env }).ended).toMatchObject({ exitCode: 0 });
    await using first = startAppProcess(env);
    const origin = await first.origin;
    const added = await startOps(['vanity', 'list', '--json'], { env }).ended;
    expect(added.exitCode).toBe(0);
    const other = join(folder, 'other');
    mkdirSync(other);
    await using second = startAppProcess({ ...env, DATA_DIR: other });
    const end = await second.ended;
    expect(end.exitCode).toBe(79);
    expect(end.stderr).toMatch(
      /^Whoflake could not start\. Another server is running on these records \(.+\): set SHARED_STATE_URL for both, or stop the other one\.\n$/,
    );
    expect((await fetch(`${origin}/status.json`)).status).toBe(200);
    first.signal('SIGTERM');
    expect((await first.ended).exitCode).toBe(0);
    // One that has said goodbye is not waited for.
    await using third = startAppProcess({ ...env, DATA_DIR: other });
    await third.origin;
    third.signal('SIGKILL');
    await third.ended;
    // As if it had been killed a while ago.
    await (
      await postgres()
    ).runProgram('psql', [url, '-qc', "update node set seen_at = seen_at - interval '1 hour'"]);
    await using fourth = startAppProcess(env);
    await fourth.origin;
  });

  it('is told apart from a start that cannot work: tried again later, with no word of the password', async () => {
    const { folder, env } = await begin();
    await startOps(['vault', 'init'], { env }).ended;
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
