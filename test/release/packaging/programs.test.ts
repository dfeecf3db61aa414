// @module-tag slow
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import manifest from '#package.json' with { type: 'json' };
import { lockFolder } from '#server/storage/data-folder.ts';
import { SERVER_ARGS, startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startHttpServer } from '#test/support/http-server.ts';
import { startOps } from '#test/support/ops-process.ts';
import { startPlatform } from '#test/support/process-site.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const CLONE = join(import.meta.dirname, '../../..');
const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
const BUILD = 'run npm ci && npx vite build && npx vite build --ssr';
type Env = Readonly<Record<string, string>>;
type Program = 'bin/ops' | 'bin/whoflake';

/** What is built, in a folder that no package can be found from; without the parts that fit `missing`. */
const layOut = (missing = /^$/) => {
  const folder = temporaryFolder();
  const filter = (path: string) => !missing.test(path.slice(CLONE.length + 1));
  for (const part of ['bin', 'package.json', 'dist'])
    cpSync(join(CLONE, part), join(folder.path, part), { recursive: true, filter });
  return folder;
};

/** Runs a program as it stands in a folder, until it ends. */
const run = (root: string, program: Program, args: readonly string[] = [], env: Env = {}) => {
  const { status, stdout, stderr } = spawnSync(join(root, program), args, {
    cwd: root,
    env: { PATH, PORT: '0', ADMIN_PORT: '1', HOME: '/nowhere', ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

/** The options of a Node that takes itself for another version. */
const pretending = (version: string): Env => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`,
  )}`,
});

describe('a program that cannot start', () => {
  const PART_IS_MISSING = /^Part of this program in \S+ is missing, .* or run npm ci && npx vite build/;
  const SERVER_PART_IS_MISSING = /^Whoflake could not start\. Part of it in \S+ is missing, .* or run npm ci/;
  const PAGES_ARE_MISSING = /^Whoflake could not start\. The pages in \S+ are not built, .*: run npm ci/;
  it.each([
    ['bin/whoflake', 'nothing is built', /^dist$/, SERVER_PART_IS_MISSING],
    ['bin/whoflake', 'a part of it is missing', /\/operator-error-/, SERVER_PART_IS_MISSING],
    ['bin/whoflake', 'the pages are not built', /^dist\/web$/, PAGES_ARE_MISSING],
    ['bin/whoflake', 'the pages are of another version', /^dist\/web\/manifest\.json$/, PAGES_ARE_MISSING],
    ['bin/ops', 'nothing is built', /^dist$/, PART_IS_MISSING],
    ['bin/ops', 'a command is missing', /\/doctor-/, PART_IS_MISSING],
  ] as const)('%s says in one sentence that %s', (program, _what, missing, sentence) => {
    using folder = layOut(missing);
    const { status, stderr } = run(folder.path, program, program === 'bin/ops' ? ['doctor'] : []);
    expect([status, stderr]).toEqual([81, expect.stringMatching(sentence)]);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(stderr).toContain(BUILD);
  });

  const [, major, minor] = /^>=(\d+)\.(\d+)\./.exec(manifest.engines.node) ?? [];
  it.each([
    ['bin/whoflake', 'Whoflake could not start. It'],
    ['bin/ops', 'ops'],
  ] as const)('%s says that Node is too old, for every Node that package.json excludes', (program, who) => {
    const older = pretending(`${major}.${Number(minor) - 1}.0`);
    expect(run(CLONE, program, ['status'], older)).toEqual({
      status: 81,
      stdout: '',
      stderr: expect.stringMatching(`^${who} needs Node ${major}\\.${minor} or newer, but this is v\\S+\n?`),
    });
  });
});

describe('compiled code', () => {
  /** Whether anything is kept, in a home with these rights and what `plant` puts there. */
  const keeps = (mode: number, plant: (home: string, elsewhere: string) => void = () => {}): string[] => {
    using home = temporaryFolder();
    using elsewhere = temporaryFolder();
    plant(home.path, elsewhere.path);
    chmodSync(home.path, mode);
    const filesIn = (): string[] =>
      [home.path, elsewhere.path].flatMap((path) => readdirSync(path, { recursive: true, encoding: 'utf8' }));
    const before = filesIn();
    expect(run(CLONE, 'bin/ops', ['--version'], { HOME: home.path })).toMatchObject({
      status: 0,
      stderr: '',
    });
    const kept = join(home.path, '.cache/whoflake');
    if (existsSync(kept)) expect(statSync(kept).mode & 0o022).toBe(0);
    return filesIn().filter((name) => !before.includes(name));
  };
  const cacheIn = (home: string): string => {
    mkdirSync(join(home, '.cache'), { mode: 0o700 });
    return join(home, '.cache');
  };

  it('a program keeps compiled code in its own home', () => {
    expect(keeps(0o700)).not.toEqual([]);
    expect(keeps(0o700, (home) => void cacheIn(home))).not.toEqual([]);
  });

  it.each([
    ['a home that everybody can write to', 0o777, () => {}],
    ['a home that its group can write to', 0o770, () => {}],
    ['a folder that everybody can write to', 0o700, (home) => chmodSync(cacheIn(home), 0o777)],
    ['a linked folder', 0o700, (home, other) => symlinkSync(other, join(home, '.cache'))],
    ['a link in its folder', 0o700, (home, other) => symlinkSync(other, join(cacheIn(home), 'whoflake'))],
  ] satisfies [string, number, (home: string, other: string) => void][])(
    'a program keeps no compiled code in %s',
    (_what, mode, plant) => expect(keeps(mode, plant)).toEqual([]),
  );

  it.runIf(process.getuid?.() === 0)('a program keeps no compiled code in a folder of another user', () => {
    expect(keeps(0o700, (home) => chownSync(cacheIn(home), 1, 1))).toEqual([]);
  });

  it('the server keeps compiled code in the folder that the service manager gives it', async () => {
    using folder = temporaryFolder();
    await using app = startAppProcess({ CACHE_DIRECTORY: folder.path });
    await app.origin;
    await vi.waitFor(() => expect(readdirSync(folder.path)).not.toEqual([]), EVENTUALLY);
  });
});

describe('settings', () => {
  it('the .env beside a program is read from anywhere, unless others can write to it', () => {
    using folder = layOut(/^dist\/web$/);
    const env = join(folder.path, '.env');
    writeFileSync(env, 'LOG_LEVEL=warn\n', { mode: 0o600 });
    const check = () => {
      const { status, stdout, stderr } = spawnSync(join(folder.path, 'bin/ops'), ['config', 'check'], {
        cwd: '/',
        env: { PATH },
        encoding: 'utf8',
      });
      return [status, stdout + stderr];
    };
    expect(check()).toEqual([0, `The settings from ${env} are all valid.\n`]);
    chmodSync(env, 0o666);
    expect(check()).toEqual([
      78,
      `The settings in ${env} cannot be read: others can write to it; run chmod go-w on it.\n`,
    ]);
  });

  it('a stranger’s .env in the current folder gets no stored token from a command', async () => {
    // Commands are run in it.
    using folder = temporaryFolder();
    const env = { DATA_DIR: folder.path, ADMIN_PORT: '1' };
    await using platform = await startPlatform();
    await startOps(['init'], { env }).ended;
    const input = platform.sandbox.mintToken(1);
    const added = startOps(['tokens', 'add'], { env: { ...env, ...platform.env }, input });
    expect((await added.ended).exitCode).toBe(0);
    const received: unknown[] = [];
    await using trap = await startHttpServer(({ headers }, response) => {
      received.push(headers.authorization);
      response.end('{}');
    });
    writeFileSync(join(folder.path, '.env'), `DISCORD_API_URL=${trap.url}\nDISCORD_CDN_URL=${trap.url}\n`);
    for (const command of [['tokens', 'list'], ['doctor'], ['config', 'check', '--json']])
      expect((await startOps(command, { env }).ended).stdout).not.toContain(trap.url);
    expect(received).toEqual([]);
  });

  it('the server does not read a stranger’s .env in the current folder', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, '.env'), 'LOG_LEVEL=loud\n');
    const command = { program: process.execPath, args: SERVER_ARGS, cwd: folder.path };
    await using server = startAppProcess({}, command);
    expect((await fetch(`${await server.origin}/healthz`)).status).toBe(200);
  });
});

it('bin/ops calls itself by its name, and ends quietly when nobody reads on', async () => {
  const { status, stdout, stderr } = run(CLONE, 'bin/ops', ['help']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage: ops <command>/);
  expect(stdout).not.toContain('npm');
  const child = spawn(join(CLONE, 'bin/ops'), ['help'], { env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect([said, exitCode]).toEqual(['', 0]);
});

it('the server ends when npm start is told to, and leaves neither port nor folder behind', async () => {
  using folder = layOut();
  const dataDir = join(folder.path, 'data');
  await using npm = startAppProcess(
    { DATA_DIR: dataDir, HOME: folder.path, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    { program: 'npm', args: ['start', '--ignore-scripts'], cwd: folder.path },
  );
  const origin = await npm.origin;
  npm.signal('SIGTERM');
  await npm.ended;
  await expect(fetch(origin)).rejects.toThrow('fetch failed');
  lockFolder(dataDir)[Symbol.dispose]();
});
