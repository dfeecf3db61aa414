import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAdmin } from '#test/support/admin-client.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const DISCORD = { PLATFORM: 'discord', EGRESS_PER_SECOND: '50' };
let lives = 0;

const startLife = (dataDir: string, env = {}) => {
  lives += 1;
  return startTestApp({ tokens: 0, dataDir, seed: lives, env });
};

type Life = Awaited<ReturnType<typeof startLife>>;

describe('after a restart', () => {
  it('§6 donated tokens serve lookups, and their receipts still work', async () => {
    using folder = temporaryFolder();
    let receipt: string | undefined;
    {
      await using test = await startLife(folder.path);
      receipt = (await donate(test, test.sandbox.mintToken(1))).body['receipt'];
      await donate(test, test.sandbox.mintToken(2));
    }
    {
      await using test = await startLife(folder.path);
      expect(test.app.pool.counts().healthy).toBe(2);
      expect((await test.settle(test.lookUp(ID))).statusCode).toBe(200);
      expect((await donate(test, test.sandbox.mintToken(1))).body['code']).toBe('token-known');
      expect((await withdraw(test, { receipt })).status).toBe(200);
      expect(test.app.pool.counts().healthy).toBe(1);
    }
  });

  it('a token that was withdrawn is not restored with a backup', async () => {
    using folder = temporaryFolder();
    const database = join(folder.path, 'whoflake.sqlite');
    let receipt: string | undefined;
    {
      await using test = await startLife(folder.path);
      receipt = (await donate(test, test.sandbox.mintToken(1))).body['receipt'];
      await donate(test, test.sandbox.mintToken(2));
    }
    expect(existsSync(`${database}-wal`)).toBe(false);
    copyFileSync(database, `${database}.backup`);
    {
      await using test = await startLife(folder.path);
      await withdraw(test, { receipt });
    }
    rmSync(database);
    copyFileSync(`${database}.backup`, database);
    await using test = await startLife(folder.path);
    expect(test.app.pool.counts().healthy).toBe(1);
    expect(await test.records.database.selectFrom('donated_token').select('id').execute()).toHaveLength(1);
    // It was the donor's wish then; it may be another now.
    expect((await donate(test, test.sandbox.mintToken(1))).status).toBe(201);
  });

  it('on a machine without the list no stored token is used before the operator has decided', async () => {
    using folder = temporaryFolder();
    {
      await using test = await startLife(folder.path);
      await donate(test, test.sandbox.mintToken(1));
    }
    rmSync(join(folder.path, 'withdrawn.txt'));
    await using test = await startLife(folder.path);
    expect(test.app.pool.counts().healthy).toBe(0);
    expect(test.logs()).toContain('"event":"tokens-held"');
    await donate(test, test.sandbox.mintToken(2));
    await test.app.refresh();
    expect(test.app.pool.counts().healthy).toBe(0);
    await test.records.withdrawn.release();
    await test.app.refresh();
    expect(test.app.pool.counts().healthy).toBe(2);
  });

  it('a token that the platform refuses is still on hold, since when it was refused', async () => {
    using folder = temporaryFolder();
    const held = async (test: Life) => JSON.parse((await readAdmin(test.app, '/tokens')).text) as object[];
    let before: object[] = [];
    {
      await using test = await startLife(folder.path);
      const token = test.sandbox.mintToken(1);
      await donate(test, token);
      test.sandbox.revoke(token);
      await test.settle(test.lookUp(ID));
      await test.pass(60_000, 1_000);
      before = await held(test);
      expect(before).toMatchObject([{ state: 'suspect', since: expect.stringMatching(/^2026-11-/) }]);
    }
    await using test = await startLife(folder.path);
    expect(await held(test)).toEqual([{ ...before[0], requests: 0, invalid: 0 }]);
    // The sandbox of this life knows the token: asked about, it comes back.
    await test.pass(60_000, 1_000);
    expect(test.app.pool.counts().healthy).toBe(1);
  });

  it('a token is used with the platform it was donated to, and never sent to another', async () => {
    using folder = temporaryFolder();
    {
      await using test = await startLife(folder.path);
      await donate(test, test.sandbox.mintToken(1));
    }
    {
      await using test = await startLife(folder.path, DISCORD);
      expect(test.app.pool.counts().healthy).toBe(0);
      expect(test.logs()).toContain('"event":"tokens-of-other-platform","count":1');
      expect((await test.settle(test.lookUp(ID))).json()).toMatchObject({ code: 'pool-empty' });
      expect(test.sandbox.stats().requests).toBe(0);
    }
    await using test = await startLife(folder.path);
    expect(test.app.pool.counts().healthy).toBe(1);
  });
});
