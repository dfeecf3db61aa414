import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { useOperator } from '#test/support/operator.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { COMMANDS } from './commands.ts';
import { explainError } from './failure.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const isRoot = process.getuid?.() === 0;
/** Rights do not bind root, so it is nobody who runs it, unless nobody may read this checkout. */
const ordinaryUser = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const nobodyMayRun =
  spawnSync(process.execPath, ['-e', 'fs.readFileSync(process.argv[1])', MAIN], ordinaryUser).status === 0;

const { ops, printed, dataDir, elsewhere } = useOperator();

it('help names every command on one screen, and each has help of its own', async () => {
  const { stdout, exitCode } = await ops([]);
  expect(exitCode).toBe(0);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  for (const { name } of COMMANDS.filter(({ isHidden }) => isHidden !== true)) {
    const [group = '', word = ''] = name.split(' ');
    expect(stdout).toMatch(new RegExp(`^  ${group} .*${word}`, 'm'));
  }
  expect((await ops(['vault', 'retire', '--help'])).stdout).toBe(
    'ops vault retire <key>\n' +
      '  removes an old key; backups sealed with it can no longer be restored\n' +
      '  --dry-run  show what would change, and change nothing\n' +
      '  Asks for confirmation first; --yes skips that.\n',
  );
});

it('the version is told with or without settings', async () => {
  const env = { PORT: 'x' };
  expect(await printed(['version'], { env })).toMatch(
    /^0 Whoflake {2}1\.2\.3\nCommit {4}f{40}\nNode {6}v24\.\S+\nSchema {4}/,
  );
  const versions = { version: '1.2.3', commit: 'f'.repeat(40), node: process.version };
  expect(JSON.parse((await ops(['--version', '--json'], { env })).stdout)).toMatchObject(versions);
});

it.each([[[]], [['--json']]])(
  'a defect of ours shows where it is, and not what it says %j',
  async (flags) => {
    const wallMs = (): number => {
      throw new TypeError('hunter2');
    };
    const system = { ...realSystem, clock: { ...realSystem.clock, wallMs } };
    const said = await printed(['optout', 'add', '1', ...flags], { system });
    expect(said).toMatch(/^1 .*Unexpected internal error \(TypeError\)\./s);
    expect(said).toMatch(/at readIds \(src\/cli\/commands\/optout\.ts:\d+/);
    expect(said).not.toMatch(/hunter2|node_modules|node:/);
  },
);

it.each(['ENOSPC', 'EDQUOT'])('a disk that is full (%s) is what a command says', (code) => {
  expect(explainError(Object.assign(new Error('hunter2'), { code, syscall: 'write' }))).toEqual({
    exitCode: 76,
    error: expect.stringMatching(
      /^There is no space left on the disk of DATA_DIR, or of PostgreSQL: free up /,
    ),
  });
});

it('every wrong setting is reported as the server does', async () => {
  const env = { PORT: 'x', LOG_LEVEL: 'loud' };
  const wrong = /^78 2 settings are wrong:\n {2}PORT: .*\n {2}LOG_LEVEL: .*$/;
  expect(await printed(['status'], { env })).toMatch(wrong);
  const { exitCode, stdout } = await ops(['status', '--json'], { env });
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    78,
    { state: 'failed', error: expect.stringContaining('PORT: ') },
  ]);
});

it('root makes nothing in the folder of another user', async () => {
  const before = readdirSync(dataDir);
  if (isRoot) chownSync(dataDir, 1000, 1000);
  expect(await printed(['optout', 'add', '441997505123577857'], { uid: 0 })).toMatch(
    /^76 \S+ belongs to \S+, not root: .* runuser -u \S+ -- in front\.$/,
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
  const said = isRoot ? / belongs to root, and the server's user may not / : /^This user may not open /;
  expect(await child.ended).toEqual({ exitCode: 76, stderr: expect.stringMatching(said) });
});

it('a command says that the disk failed, and not more', async () => {
  // A folder where a file has to be.
  mkdirSync(join(dataDir, 'last-backup.json'));
  expect(await printed(['backup', '--into', elsewhere])).toBe(
    '76 The data could not be read or written: check the disk and the owner of DATA_DIR.',
  );
});
