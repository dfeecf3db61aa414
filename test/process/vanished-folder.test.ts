// @module-tag slow
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startOps } from '#test/support/ops-process.ts';
import { askUntilTaken, prepareSite } from '#test/support/process-site.ts';
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
      /^Whoflake could not start\. The database in .* is missing, but there has been one: .*ops init\.\n$/,
    ),
  });
  // Nothing was made where the folder may be put back.
  expect(existsSync(dataDir)).toBe(false);
  renameSync(aside, dataDir);
  await using back = startAppProcess(env);
  expect(await lookUp(await back.origin)).toBe(404);
});
