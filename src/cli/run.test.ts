import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

const { ops, printed, dataDir, elsewhere } = useOperator();

describe('the command line', () => {
  it('helps', async () => {
    const { stdout, exitCode } = await ops([]);
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    const shown = COMMANDS.filter(({ isHidden }) => isHidden !== true);
    expect(shown.length).toBeLessThanOrEqual(26);
    for (const { name } of shown) {
      const [group = '', word = ''] = name.split(' ');
      expect(stdout).toMatch(new RegExp(`^  ${group} .*${word}`, 'm'));
      expect((await ops(['help', ...name.split(' ')])).stdout).toContain(`ops ${name}`);
    }
    expect((await ops(['vault', 'retire', '--help'])).stdout).toBe(
      'ops vault retire <key>\n' +
        '  removes an old key; backups sealed with it can no longer be restored\n' +
        '  --dry-run  show what would change, and change nothing\n' +
        '  Asks for confirmation first; --yes skips that.\n',
    );
    expect((await ops(['--version'])).stdout).toBe('1.2.3\n');
  });

  it('tells its version, with or without settings', async () => {
    const env = { PORT: 'x' };
    expect(await printed(['version'], { env })).toMatch(
      /^0 Whoflake {2}1\.2\.3\nCommit {4}f{40}\nNode {6}v24\.\S+\nSchema {4}\d+$/,
    );
    const { stdout } = await ops(['--version', '--json'], { env });
    expect(stdout).toBe((await ops(['version', '--json'], { env })).stdout);
    expect(JSON.parse(stdout)).toMatchObject({
      version: '1.2.3',
      commit: 'f'.repeat(40),
      node: process.version,
    });
  });

  it.each([[[]], [['--json']]])('shows where a defect of ours is, and not what it says %j', async (flags) => {
    const wallMs = (): number => {
      throw new TypeError('hunter2');
    };
    const system = { ...realSystem, clock: { ...realSystem.clock, wallMs } };
    const { exitCode, stdout, stderr } = await ops(['optout', 'add', '1', ...flags], { system });
    const printed = stdout + stderr;
    expect(exitCode).toBe(1);
    expect(printed).toContain('Unexpected internal error (TypeError).');
    expect(printed).toMatch(/at readIds \(src\/cli\/commands\/optout\.ts:\d+/);
    expect(printed).not.toMatch(/hunter2|node_modules|node:/);
    if (flags.length > 0) expect(JSON.parse(stdout)).toMatchObject({ frames: expect.any(Array) });
  });

  it('has a dry run wherever something is deleted or replaced', () => {
    // `init --from` begins a new site beside what is there.
    const names = COMMANDS.filter(({ destroys, options = {} }) => destroys && !('dry-run' in options));
    expect(names.map(({ name }) => name)).toEqual(['init']);
  });

  it('reports every wrong setting as the server does', async () => {
    const env = { PORT: 'x', LOG_LEVEL: 'loud' };
    expect(await ops(['status'], { env })).toEqual({
      exitCode: 78,
      stdout: '',
      stderr: expect.stringMatching(/^2 settings are wrong:\n {2}PORT: .*\n {2}LOG_LEVEL: .*\n$/),
    });
    const { exitCode, stdout, stderr } = await ops(['status', '--json'], { env });
    expect([exitCode, stderr]).toEqual([78, '']);
    expect(JSON.parse(stdout)).toEqual({ state: 'failed', error: expect.stringContaining('PORT: ') });
  });

  it('makes nothing as root in the folder of another user', async () => {
    const before = readdirSync(dataDir).toSorted();
    if (process.getuid?.() === 0) chownSync(dataDir, 1000, 1000);
    expect(await printed(['optout', 'add', '441997505123577857'], { uid: 0 })).toMatch(
      /^76 \S+ belongs to \S+, not root: .* runuser -u \S+ -- in front\.$/,
    );
    expect(readdirSync(dataDir).toSorted()).toEqual(before);
    rmSync(dataDir, { recursive: true });
    expect(await ops(['status'], { uid: 0 })).toMatchObject({ exitCode: 80 });
  });

  it.skipIf(!nobodyMayRun)('does not take a folder for empty that it may not look into', async () => {
    using folder = temporaryFolder();
    const closed = join(folder.path, 'data');
    mkdirSync(closed, { mode: isRoot ? 0o700 : 0o000 });
    chmodSync(folder.path, 0o755);
    const options = { program: process.execPath, args: [MAIN, 'status'], ...ordinaryUser };
    await using child = startAppProcess({ DATA_DIR: closed }, options);
    expect(await child.ended).toEqual({
      exitCode: 76,
      stderr: isRoot
        ? expect.stringMatching(
            /^\S+ belongs to root, and the server's user may not open it: run chown -R \w+ \S+ as root\.\n$/,
          )
        : `This user may not open ${closed}: run this as its owner, for example as root with runuser -u ${userInfo().username} -- in front.\n`,
    });
    expect(child.output()).not.toContain('no database');
  });

  it('says that the disk failed, and not more', async () => {
    // A folder where a file has to be.
    mkdirSync(join(dataDir, 'last-backup.json'));
    expect(await ops(['backup', '--into', elsewhere])).toMatchObject({
      exitCode: 76,
      stderr: 'The data could not be read or written: check the disk and the owner of DATA_DIR.\n',
    });
  });
});
