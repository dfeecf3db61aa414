import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSandbox } from '#sandbox/sandbox.ts';
import { settingNames } from '#server/config.ts';
import { createTally, type FuzzResult } from '#test/fuzz/tally.ts';
import { startOps } from '#test/support/ops-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const CANARY = 'canary7f3a';
const SECRET = `postgres://:${CANARY}@${CANARY}/${CANARY}`;
/** Commands name these folders on purpose. */
const SHOWN = new Set(['DATA_DIR', 'KEYRING_FILE']);

/** Stores a token in the folder, which commands are run in. */
const storeToken = async (site: Readonly<Record<string, string>>): Promise<boolean> => {
  const sandbox = createSandbox();
  const { cdnUrl } = await sandbox.listen();
  const env = { ...site, PLATFORM_ADDRESS: cdnUrl };
  await startOps(['init'], { env }).ended;
  const { exitCode } = await startOps(['tokens', 'add'], { env, input: sandbox.mintToken(1) }).ended;
  await sandbox.close();
  return exitCode === 0;
};

/** A secret as the value of every setting, right and misspelt, in commands that run beside a stranger's `.env`. */
export const misplaceSecrets = async (): Promise<FuzzResult> => {
  using folder = temporaryFolder();
  const site = { DATA_DIR: folder.path, ADMIN_PORT: '1' };
  const tally = createTally();
  tally.check(await storeToken(site), () => 'no token was stored');
  let lured = 0;
  const trap = createServer((_request, response) => {
    lured += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(trap, 'listening');
  const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  writeFileSync(join(folder.path, '.env'), `PLATFORM_ADDRESS=${url}\n`);

  const file = join(folder.path, 'site.env');
  const names = settingNames().filter((name) => !SHOWN.has(name));
  for (const name of names.flatMap((right) => [right, right.slice(0, -1)])) {
    writeFileSync(file, `${name}=${SECRET}\n`);
    for (const { argv, env } of [
      { argv: ['config', 'check', '--env-file', file], env: site },
      { argv: ['tokens', 'check', '--json'], env: { ...site, [name]: SECRET } },
    ]) {
      const { stdout, stderr } = await startOps(argv, { env }).ended;
      tally.check(!(stdout + stderr).includes(CANARY), () => `ops ${argv[0]} shows ${name}`);
    }
  }
  tally.check(lured === 0, () => `${lured} requests went to the stranger's address`);
  trap.close();
  return tally.result();
};
