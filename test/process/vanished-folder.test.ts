// @module-tag slow
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRecords } from '#server/open-records.ts';
import { realSystem } from '#server/system.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startOps } from '#test/support/ops-process.ts';
import { askUntilTaken, prepareSite } from '#test/support/process-site.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { configOf } from '#test/support/well-formed.ts';
import { createVisitors } from '#test/suites/load/visitors.ts';
import { ROOMY } from '#test/suites/world.ts';

const ID = '441997505123577857';

const lookUp = async (origin: string): Promise<number> => {
  await using visitors = createVisitors(() => origin);
  return (await askUntilTaken(visitors, '/lookup', { discord_id: ID })).status;
};

it('a site whose folder is not mounted any more is not begun again by a restart, and shows nobody who opted out', async () => {
  await using site = await prepareSite();
  // The test asks until it is heard, from one address.
  const env = { ...site.env, ...ROOMY, BOT_TOKENS: site.sandbox.mintToken(0) };
  const [dataDir, aside] = [env.DATA_DIR, join(site.folder, 'aside')];
  const ops = (...argv: string[]) => startOps(argv, { env: { ...env, HOME: site.folder } }).ended;
  {
    await using server = startAppProcess(env);
    const origin = await server.origin;
    expect(await ops('optout', 'add', ID)).toMatchObject({ exitCode: 0 });
    await expect.poll(() => lookUp(origin), EVENTUALLY).toBe(404);
    renameSync(dataDir, aside);
    expect((await site.readAdmin('/readyz')).status).toBe(503);
    expect(await lookUp(origin)).toBe(404);
    server.signal('SIGKILL');
    await server.ended;
  }
  await using again = startAppProcess(env);
  expect(await again.ended).toMatchObject({
    exitCode: 80,
    stderr: expect.stringMatching(
      /^Whoflake could not start\. The database in .* is missing, but .*\/data\.site is there: .*ops init\.\n$/,
    ),
  });
  // Nothing was made where the folder may be put back.
  expect(existsSync(dataDir)).toBe(false);
  renameSync(aside, dataDir);
  await using back = startAppProcess(env);
  expect(await lookUp(await back.origin)).toBe(404);
});

it('a site that is gone for good begins again when its operator says so, and not before', async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const config = configOf({ DATA_DIR: dataDir });
  const open = () => openRecords(config, realSystem, { isServer: true });
  await (await open()).close();
  rmSync(dataDir, { recursive: true });
  await expect(open()).rejects.toMatchObject({ exitCode: 80 });
  mkdirSync(dataDir, { mode: 0o700 });
  await (await openRecords(config, realSystem, { isNewSite: true })).close();
  await (await open()).close();
});

it('a keyring that lies elsewhere shows that there was a site, and no note is left beside the folder', async () => {
  using folder = temporaryFolder();
  const [dataDir, keys] = [join(folder.path, 'data'), join(folder.path, 'keys')];
  const config = configOf({ DATA_DIR: dataDir, KEYRING_FILE: join(keys, 'keyring.json') });
  const open = () => openRecords(config, realSystem, { isServer: true });
  await (await open()).close();
  expect(readdirSync(folder.path).toSorted()).toEqual(['data', 'keys']);
  await (await open()).close();
  rmSync(dataDir, { recursive: true });
  await expect(open()).rejects.toMatchObject({ exitCode: 80 });
});
