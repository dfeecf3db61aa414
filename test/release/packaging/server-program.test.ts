import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import packageJson from '#package.json' with { type: 'json' };
import { lockFolder } from '#server/storage/folder-lock.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const CLONE = join(import.meta.dirname, '../../..');

/** Started in a folder that no package can be found from. */
const start = (root: string, options: readonly string[] = []) => {
  const { status, stderr } = spawnSync(process.execPath, [...options, join(root, 'bin/whoflake')], {
    cwd: root,
    env: { PORT: '0', ADMIN_PORT: '0', SANDBOX_PORT: '0', DATA_DIR: join(root, 'data'), HOME: root },
    encoding: 'utf8',
  });
  return { status, stderr };
};

const lay = (root: string): void => {
  for (const part of ['bin', 'package.json'])
    cpSync(join(CLONE, part), join(root, part), { recursive: true });
};

/** All that production has, but for the one built file that fits `missing`. */
const layBuilt = (root: string, missing?: RegExp): void => {
  lay(root);
  const folder = join(root, 'dist/server');
  cpSync(join(CLONE, 'dist'), join(root, 'dist'), { recursive: true });
  if (missing === undefined) return;
  const [found, ...more] = readdirSync(folder).filter((file) => missing.test(file));
  expect(more).toEqual([]);
  rmSync(join(folder, found ?? 'nothing fits'));
};

describe('bin/whoflake', () => {
  it.each([
    ['it is not built', lay, /dist\/server\/main\.js/],
    ['a part of it is missing', (root: string) => layBuilt(root, /^operator-error-/), /operator-error-/],
  ])('says in one sentence that %s', (_name, prepare, missing) => {
    using folder = temporaryFolder();
    prepare(folder.path);
    const { status, stderr } = start(folder.path);
    expect(status).toBe(81);
    expect(stderr).toMatch(
      /^Whoflake could not start\. Part of it in \S+ is missing, .* or run npm ci && npx vite build && npx vite build --ssr there\. \(.*\)\n$/,
    );
    expect(stderr).toMatch(missing);
  });

  it.each([
    ['it is not built', lay],
    ['a command is missing', (root: string) => layBuilt(root, /^doctor-/)],
  ])('so does ops if %s', (_name, prepare) => {
    using folder = temporaryFolder();
    prepare(folder.path);
    const { status, stderr } = spawnSync(process.execPath, [join(folder.path, 'bin/ops'), 'doctor'], {
      cwd: folder.path,
      env: { DATA_DIR: join(folder.path, 'data'), HOME: folder.path },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      81,
      `Part of this program in ${folder.path} is missing, or this user may not read it: check its owner and permissions, or run npm ci && npx vite build && npx vite build --ssr there.\n`,
    ]);
  });

  it('keeps compiled code in the folder that the service manager gives it', async () => {
    using folder = temporaryFolder();
    await using app = startAppProcess({ CACHE_DIRECTORY: folder.path });
    await app.origin;
    await vi.waitFor(() => expect(readdirSync(folder.path)).not.toEqual([]), EVENTUALLY);
  });

  it('ends when npm start is told to, and leaves neither port nor folder behind', async () => {
    using folder = temporaryFolder();
    layBuilt(folder.path);
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

  it.each([
    ['not built', 'dist/web'],
    ['of another version', 'dist/web/manifest.json'],
  ])('says in one sentence how to build pages that are %s', (_name, missing) => {
    using folder = temporaryFolder();
    layBuilt(folder.path);
    rmSync(join(folder.path, missing), { recursive: true });
    const { status, stderr } = start(folder.path);
    expect(status).toBe(81);
    expect(stderr).toMatch(
      /^Whoflake could not start\. The pages in \S+ are not built, .*: run npm ci && npx vite build/,
    );
    expect(stderr.split('\n')).toHaveLength(2);
  });

  it('says in one sentence that Node is too old, for every Node that package.json excludes', () => {
    using folder = temporaryFolder();
    lay(folder.path);
    const [, major, minor] = /^>=(\d+)\.(\d+)\./.exec(packageJson.engines.node) ?? [];
    const older = `${major}.${Number(minor) - 1}.0`;
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${older}' } })`;
    expect(start(folder.path, ['--import', `data:text/javascript,${pretend}`])).toEqual({
      status: 81,
      stderr: `Whoflake could not start. It needs Node ${major}.${minor} or newer, but this is ${process.version}.\n`,
    });
  });
});
