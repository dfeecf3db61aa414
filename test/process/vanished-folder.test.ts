import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { openRecords } from '#server/open-records.ts';
import { realSystem } from '#server/system.ts';
import { trace, whyNoStrace } from '#test/attacks/disk.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { readAdmin, readReadiness } from '#test/support/admin-client.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startOps } from '#test/support/ops-process.ts';
import { prepareSite } from '#test/support/process-site.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp } from '#test/support/test-app.ts';
import { createVisitors } from '#test/suites/load/visitors.ts';
import { ROOMY } from '#test/suites/world.ts';
import { configOf } from '#test/support/well-formed.ts';

const ID = '441997505123577857';

/** What becomes of a folder while a server works in it; `aside` is where it can be put. */
type Harm = (dataDir: string, aside: string) => void;
const HARMS: Readonly<Record<string, Harm>> = {
  moved: renameSync,
  'not mounted any more': (dataDir, aside) => {
    renameSync(dataDir, aside);
    mkdirSync(dataDir, { mode: 0o700 });
  },
  'replaced by a file': (dataDir, aside) => {
    renameSync(dataDir, aside);
    writeFileSync(dataDir, '');
  },
  'a link that leads nowhere': (dataDir, aside) => {
    renameSync(dataDir, aside);
    symlinkSync(`${aside}-gone`, dataDir);
  },
  deleted: (dataDir) => rmSync(dataDir, { recursive: true }),
};

it.each(Object.entries(HARMS))('a folder that is %s costs no answer about health', async (_, harm) => {
  await using test = await startTestApp();
  await test.app.start();
  harm(test.dataDir, `${test.dataDir}-aside`);
  for (let n = 0; n < 3; n += 1) {
    expect(await readReadiness(test.app)).toMatchObject({
      status: 503,
      body: { ready: false, database_replaced: true },
    });
    expect((await readAdmin(test.app, '/metrics')).status).toBe(200);
    expect((await readAdmin(test.app, '/livez')).status).toBe(200);
    await test.pass(2_000);
  }
  expect((await test.settle(test.lookUp(ID))).statusCode).toBe(200);
});

it('with a keyring elsewhere, that is what shows that there was a site, and no note is left', async () => {
  using folder = temporaryFolder();
  const [dataDir, keys] = [join(folder.path, 'data'), join(folder.path, 'keys')];
  const config = configOf({ DATA_DIR: dataDir, KEYRING_FILE: join(keys, 'keyring.json') });
  const open = () => openRecords(config, realSystem, { isServer: true });
  await (await open()).close();
  expect(readdirSync(folder.path).toSorted()).toEqual(['data', 'keys']);
  expect(readdirSync(keys)).toEqual(['keyring.json']);
  await (await open()).close();
  rmSync(dataDir, { recursive: true });
  await expect(open()).rejects.toMatchObject({ exitCode: 80 });
});

const createSite = async () => {
  const site = await prepareSite();
  // The test asks until it is heard, from one address.
  const env = { ...site.env, ...ROOMY, BOT_TOKENS: site.sandbox.mintToken(0) };
  return {
    ...site,
    env,
    dataDir: env.DATA_DIR,
    aside: join(site.folder, 'aside'),
    askAdmin: async (path: string) => (await site.readAdmin(path)).status,
    ops: (...argv: string[]) => startOps(argv, { env: { ...env, HOME: site.folder } }).ended,
  };
};

const lookUp = async (origin: string): Promise<number> => {
  await using visitors = createVisitors(() => origin);
  return (await visitors.next().ask('/lookup', { discord_id: ID })).status;
};

describe('a site that has had records', { tags: ['slow'] }, () => {
  it.each(['not mounted any more', 'deleted'])('(%s) is not begun again by a restart', async (harm) => {
    await using site = await createSite();
    {
      await using server = startAppProcess(site.env);
      const origin = await server.origin;
      expect(await site.ops('optout', 'add', ID)).toMatchObject({ exitCode: 0 });
      await expect.poll(() => lookUp(origin), EVENTUALLY).toBe(404);
      HARMS[harm]?.(site.dataDir, site.aside);
      expect(await site.askAdmin('/readyz')).toBe(503);
      expect(await lookUp(origin)).toBe(404);
      server.signal('SIGKILL');
      await server.ended;
    }
    const hadFolder = existsSync(site.dataDir);
    await using again = startAppProcess(site.env);
    expect(await again.ended).toMatchObject({
      exitCode: 80,
      stderr: expect.stringMatching(
        /^Whoflake could not start\. The database in .* is missing, but .*\/data\.site is there: .*ops init\.\n$/,
      ),
    });
    // Nothing was made where the folder may be put back.
    expect(existsSync(site.dataDir)).toBe(hadFolder);
    if (harm === 'deleted') {
      mkdirSync(site.dataDir, { mode: 0o700 });
      expect(await site.ops('init')).toMatchObject({ exitCode: 0 });
    } else {
      rmSync(site.dataDir, { recursive: true, force: true });
      renameSync(site.aside, site.dataDir);
    }
    await using back = startAppProcess(site.env);
    expect(await lookUp(await back.origin)).toBe(harm === 'deleted' ? 200 : 404);
  });

  test.skipIf(whyNoStrace() !== null)('outlives a disk that fails every question about it', async () => {
    await using site = await createSite();
    await using server = startAppProcess(site.env);
    const origin = await server.origin;
    const calls = 'statfs,fstatfs,stat,statx,lstat,newfstatat,openat';
    const paths = [site.dataDir, join(site.dataDir, 'whoflake.sqlite')].flatMap((path) => ['-P', path]);
    const faults = [`--trace=${calls}`, `--inject=${calls}:error=EIO`];
    {
      await using _fault = await trace(server.pid, [...paths, ...faults]);
      await expect.poll(() => site.askAdmin('/readyz'), EVENTUALLY).toBe(503);
      expect(await site.askAdmin('/metrics')).toBe(200);
      expect(await lookUp(origin)).toBe(200);
    }
    await expect.poll(() => site.askAdmin('/readyz'), EVENTUALLY).toBe(200);
  });
});
