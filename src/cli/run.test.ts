import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { useOperator } from '#test/support/operator.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { COMMANDS } from './commands.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const isRoot = process.getuid?.() === 0;
/** Rights do not bind root, so it is nobody who runs it, unless nobody may read this checkout. */
const ordinaryUser = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const nobodyMayRun =
  spawnSync(process.execPath, ['-e', 'fs.readFileSync(process.argv[1])', MAIN], ordinaryUser).status === 0;

const { ops, printed, dataDir } = useOperator();

it('help names every command on one screen', async () => {
  const { stdout } = await ops([]);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  for (const { name } of COMMANDS.filter(({ isHidden }) => isHidden !== true)) {
    const [group = '', word = ''] = name.split(' ');
    expect(stdout).toMatch(new RegExp(`^  ${group} .*${word}`, 'm'));
  }
});

it.each(['', '--json'])('a defect of ours shows where it is, and not what it says %s', async (flag) => {
  const wallMs = (): number => {
    throw new TypeError('hunter2');
  };
  const system = { ...realSystem, clock: { ...realSystem.clock, wallMs } };
  const said = await printed(['backup', '--into', dataDir, ...flag.split(' ').filter(Boolean)], { system });
  expect(said).toMatch(
    /^1 .*Unexpected internal error \(TypeError\)\..*at continueSeries \(src\/cli\/commands\//s,
  );
  expect(said).not.toMatch(/hunter2|node_modules|node:/);
});

it('every wrong setting is reported as the server does', async () => {
  const env = { PORT: 'x', LOG_LEVEL: 'loud' };
  const wrong = /^78 2 settings are wrong:\n {2}PORT: .*\n {2}LOG_LEVEL: .*$/;
  expect(await printed(['status'], { env })).toMatch(wrong);
});

it('root makes nothing in the folder of another user', async () => {
  const before = readdirSync(dataDir);
  if (isRoot) chownSync(dataDir, 1000, 1000);
  expect(await printed(['optout', 'add', '441997505123577857'], { uid: 0 })).toMatch(
    /^76 \S+ belongs to \S+, another user than this: .* runuser -u \S+ -- in front\.$/,
  );
  expect(readdirSync(dataDir)).toEqual(before);
});

it.skipIf(!nobodyMayRun)('a folder that this user may not look into is not taken for empty', async () => {
  using folder = temporaryFolder();
  const closed = join(folder.path, 'data');
  mkdirSync(closed, { mode: isRoot ? 0o700 : 0o000 });
  chmodSync(folder.path, 0o755);
  const options = { program: process.execPath, args: [MAIN, 'status'], ...ordinaryUser };
  await using child = startAppProcess({ DATA_DIR: closed }, options);
  const said = isRoot ? /another user than this: run chown -R / : /another user than this: run this as /;
  expect(await child.ended).toEqual({ exitCode: 76, stderr: expect.stringMatching(said) });
});
