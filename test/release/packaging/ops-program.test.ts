import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const OPS = join(import.meta.dirname, '../../../bin/ops');
/** By the Node of the tests, wherever it lies. */
const ENV = { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`, HOME: '/nowhere' };
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const cwd = folder.path;
const file = join(cwd, 'site.env');
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = spawnSync(OPS, args, { cwd, env: { ...ENV, ...env }, encoding: 'utf8' });
  return { status, stdout, stderr };
};
const importing = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
});

describe('bin/ops', () => {
  it('calls itself by its name, from any folder', () => {
    const { status, stdout, stderr } = run(['help']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: ops <command>/);
    expect(stdout).not.toContain('npm');
  });

  it('keeps compiled code in a folder that nobody else can write to, and nowhere else', () => {
    using home = temporaryFolder();
    const kept = join(home.path, '.cache/whoflake');
    const runAt = (mode: number): boolean => {
      chmodSync(home.path, mode);
      expect(run(['--version'], { HOME: home.path })).toMatchObject({ status: 0, stderr: '' });
      return existsSync(kept);
    };
    expect([0o777, 0o770].map(runAt)).toEqual([false, false]);
    expect(runAt(0o700)).toBe(true);
    expect(statSync(kept).mode & 0o777).toBe(0o700);
    expect(readdirSync(kept)).not.toEqual([]);
  });

  it('keeps none in a folder of another user, or that one leads to', () => {
    using home = temporaryFolder();
    using other = temporaryFolder();
    const cache = join(home.path, '.cache');
    const filled = (): string[] => [cache, other.path].flatMap((path) => readdirSync(path));
    const plant = (make: () => void): string[] => {
      rmSync(cache, { recursive: true, force: true });
      make();
      const before = filled();
      expect(run(['--version'], { HOME: home.path })).toMatchObject({ status: 0, stderr: '' });
      return filled().filter((name) => !before.includes(name));
    };
    expect(plant(() => mkdirSync(cache) ?? chmodSync(cache, 0o777))).toEqual([]);
    expect(plant(() => symlinkSync(other.path, cache))).toEqual([]);
    expect(plant(() => mkdirSync(cache) ?? symlinkSync(other.path, join(cache, 'whoflake')))).toEqual([]);
    if (process.getuid?.() === 0)
      expect(plant(() => mkdirSync(cache, { mode: 0o700 }) ?? chownSync(cache, 1, 1))).toEqual([]);
  });

  it.each(['/nowhere', '/dev/null'])('does without where there is no such folder: %s', (home) => {
    expect(run(['--version'], { HOME: home })).toMatchObject({ status: 0, stderr: '' });
  });

  it('finds its settings in the file that it is told', () => {
    const dataDir = join(cwd, 'data');
    writeFileSync(file, `DATA_DIR=${dataDir}\nADMIN_PORT=1\n`);
    for (const outcome of [
      run(['status', '--json', '--env-file', file]),
      run(['status', '--json'], { WHOFLAKE_ENV_FILE: file }),
    ])
      expect(JSON.parse(outcome.stdout)).toMatchObject({ data_dir: dataDir });
  });

  it('has colours in a terminal, and where they are asked for', () => {
    const at = (env: Readonly<Record<string, string>>, argv = ['config', 'check']) =>
      run(argv, { LOOKUPS_PER_MINUT: '5', ...env }).stdout;
    const yellow = '\u001B[33mwarning\u001B[39m';
    expect(at({})).toContain('\nwarning ');
    expect(at({ FORCE_COLOR: '1' }).includes(yellow)).toBe(true);
    expect(at({ FORCE_COLOR: '1' }, ['config', 'check', '--json'])).toContain('"state": "warning"');
    const inTerminal = (env: Readonly<Record<string, string>>) =>
      spawnSync('script', ['-qec', `${OPS} config check`, '/dev/null'], {
        cwd,
        env: { ...ENV, TERM: 'xterm', LOOKUPS_PER_MINUT: '5', ...env },
        encoding: 'utf8',
      }).stdout;
    expect(inTerminal({})).toContain(yellow);
    expect(inTerminal({ NO_COLOR: '1' })).toContain('warning');
    expect(inTerminal({ NO_COLOR: '1' })).not.toContain('\u001B[');
  });

  it('says in one sentence that it cannot read them', () => {
    expect(run(['status', '--env-file=/nowhere/site.env'])).toEqual({
      status: 78,
      stdout: '',
      stderr: 'The settings in /nowhere/site.env cannot be read: there is no such file; check its name.\n',
    });
  });

  it('says in one sentence that Node is too old', () => {
    const old = `Object.defineProperty(process,'versions',{value:{node:'20.19.0'}})`;
    const sentence = /^ops needs Node 24\.15 or newer, but this is v\S+: npm install .*$/m;
    expect(run(['status'], importing(old))).toEqual({
      status: 81,
      stdout: '',
      stderr: expect.stringMatching(sentence),
    });
    const { status, stdout } = run(['status', '--json'], importing(old));
    expect([status, JSON.parse(stdout)]).toEqual([
      81,
      { state: 'failed', error: expect.stringMatching(sentence) },
    ]);
  });

  it('tells where it looked when there is nothing', () => {
    writeFileSync(file, 'ADMIN_PORT=1\n');
    expect(run(['vanity', 'list', '--env-file', file])).toMatchObject({
      status: 80,
      stderr: expect.stringContaining(
        `There is no database in ${cwd}/data (settings from ${file}): check DATA_DIR`,
      ),
    });
  });

  it('ends quietly when nobody reads on', async () => {
    const child = spawn(OPS, ['help'], { cwd, env: ENV, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([said, exitCode]).toEqual(['', 0]);
  });
});
