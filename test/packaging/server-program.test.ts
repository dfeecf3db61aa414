import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import packageJson from '#package.json' with { type: 'json' };
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const CLONE = join(import.meta.dirname, '../..');

/** Started in a folder that no package can be found from. */
const start = (root: string, options: readonly string[] = []) => {
  const { status, stderr } = spawnSync(process.execPath, [...options, join(root, 'bin/whoflake')], {
    cwd: root,
    env: { PORT: '0', ADMIN_PORT: '0', SANDBOX_PORT: '0', DATA_DIR: join(root, 'data'), HOME: root },
    encoding: 'utf8',
  });
  return { status, stderr };
};

/** The program as it was cloned, without packages and not built. */
const lay = (root: string): void => {
  for (const part of ['bin', 'src', 'package.json'])
    cpSync(join(CLONE, part), join(root, part), { recursive: true });
};

describe('bin/whoflake', () => {
  it('says in one sentence that packages are missing', () => {
    using folder = temporaryFolder();
    lay(folder.path);
    expect(start(folder.path)).toEqual({
      status: 81,
      stderr: `Whoflake could not start. Its packages are missing: run npm ci --omit=dev in ${folder.path}.\n`,
    });
  });

  it.each(['status', 'doctor', 'tokens list'])('so does ops %s', (command) => {
    using folder = temporaryFolder();
    lay(folder.path);
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(folder.path, 'bin/ops'), ...command.split(' ')],
      {
        cwd: folder.path,
        env: { DATA_DIR: join(folder.path, 'data'), HOME: folder.path },
        encoding: 'utf8',
      },
    );
    expect([status, stderr]).toEqual([
      81,
      `Some packages are missing: run npm ci --omit=dev in ${folder.path}.\n`,
    ]);
  });

  it('says in one sentence that a part of it is missing', () => {
    using folder = temporaryFolder();
    lay(folder.path);
    symlinkSync(join(CLONE, 'node_modules'), join(folder.path, 'node_modules'));
    rmSync(join(folder.path, 'src/server/app.ts'));
    const { status, stderr } = start(folder.path);
    expect(status).toBe(81);
    expect(stderr).toMatch(/^Whoflake could not start\. Part of it in \S+ is missing, .*app\.ts.*\n$/);
  });

  it('keeps compiled code in the folder that the service manager gives it', async () => {
    using folder = temporaryFolder();
    await using app = startAppProcess({ CACHE_DIRECTORY: folder.path });
    await app.origin;
    await vi.waitFor(() => expect(readdirSync(folder.path)).not.toEqual([]), EVENTUALLY);
  });

  it.each([
    ['not built', () => {}],
    [
      'of another version',
      (root: string) => {
        cpSync(join(CLONE, 'dist'), join(root, 'dist'), { recursive: true });
        rmSync(join(root, 'dist/web/service-worker.js'));
      },
    ],
  ])('says in one sentence how to build pages that are %s', (_name, build) => {
    using folder = temporaryFolder();
    lay(folder.path);
    symlinkSync(join(CLONE, 'node_modules'), join(folder.path, 'node_modules'));
    build(folder.path);
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
