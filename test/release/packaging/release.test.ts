// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import manifest from '#package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../../..');
const NAME = `whoflake-${manifest.version}`;

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
    cwd,
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    },
  });

/** What is here, committed at another path. On the same disk: its packages are links, each to one file. */
const CLONES = join(ROOT, '.tools', `clones-${process.pid}`);
const cloneInto = (path: string): string => {
  const clone = join(CLONES, path);
  const files = git(ROOT, 'ls-files', '--cached', '--others', '--exclude-standard').trim().split('\n');
  for (const file of files.filter((file) => existsSync(join(ROOT, file)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file));
  }
  const number = manifest.version.replace('-dev', '');
  writeFileSync(join(clone, 'CHANGELOG.md'), `## ${number} (2026-01-01)\n\nWhat is new.\n`);
  git(clone, 'init', '--quiet');
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message=a release');
  return clone;
};
const build = (clone: string): void => {
  execFileSync('cp', ['--archive', '--link', join(ROOT, 'node_modules'), join(clone, 'node_modules')]);
  // Vitest's own would make it another build.
  const { NODE_ENV: _, ...env } = process.env;
  for (const part of [[], ['--ssr']])
    execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', ...part, '--logLevel=error'], {
      cwd: clone,
      env,
    });
};
const release = (clone: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: clone, encoding: 'utf8' });
const read = (clone: string, name: string): Buffer => readFileSync(join(clone, 'release', name));

describe('a release', () => {
  /** Nothing is built in it. */
  let clone = '';
  afterAll(() => rmSync(CLONES, { recursive: true, force: true }));

  it('is refused with a sentence, and nothing is written', () => {
    clone = cloneInto('a/deeper/path');
    const refused = (...args: readonly string[]): string => {
      const { status, stderr } = release(clone, ...args);
      expect(status).toBe(1);
      expect(readdirSync(clone).filter((name) => name.includes('release'))).toEqual([]);
      return stderr;
    };
    expect(refused('--tag', 'v9.9.9')).toContain('The tag v9.9.9 does not name the version');
    expect(refused('--frob')).toContain('Usage: npm run release');
    expect(refused()).toContain('dist');
    for (const into of ['src', '.', '..'])
      expect(refused('--into', into)).toContain(`${into} is not empty and no earlier release`);
    expect(refused('--into', 'nowhere/release')).toContain('There is no folder');
    expect(existsSync(join(clone, 'src/server/main.ts'))).toBe(true);
    writeFileSync(join(clone, 'package.json'), JSON.stringify({ ...manifest, version: '9.9.9' }));
    expect(refused()).toContain('CHANGELOG.md has no section for 9.9.9');
    writeFileSync(join(clone, 'CHANGELOG.md'), '## 9.9.9 (unreleased)\n\nWhat is new.\n');
    expect(refused()).toContain('CHANGELOG.md calls 9.9.9 unreleased');
    git(clone, 'checkout', '--quiet', '.');
    writeFileSync(join(clone, 'package.json'), JSON.stringify(manifest));
    expect(refused()).toContain('not committed');
    git(clone, 'checkout', '--quiet', '.');
  });

  it('has the same bytes from another path, matches its checksums, and runs with nothing but Node', () => {
    const one = cloneInto('one');
    build(one);
    cpSync(join(ROOT, 'dist'), join(clone, 'dist'), { recursive: true });
    for (const folder of [one, clone]) expect(release(folder).stderr).toBe('');
    for (const name of [`${NAME}.tar.gz`, `${NAME}.cdx.json`, 'notes.md', 'SHA256SUMS'])
      expect(read(one, name).equals(read(clone, name)), name).toBe(true);

    const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: join(one, 'release'),
      encoding: 'utf8',
    });
    // Exactly the files that release.yml publishes next to it.
    expect(checked).toBe(`${NAME}.cdx.json: OK\n${NAME}.tar.gz: OK\n`);
    execFileSync('tar', ['--extract', `--file=${NAME}.tar.gz`], { cwd: join(one, 'release') });
    const ops = join(one, 'release', NAME, 'bin/ops');
    expect(execFileSync(process.execPath, [ops, 'help'], { encoding: 'utf8' })).toContain('backup');

    // Where the unit leads to for documentation, and what that page names.
    for (const path of [
      'docs/operations.md',
      'docs/backup.md',
      'compose.yaml',
      'install.sh',
      'LICENSE',
      '.commit',
    ])
      expect(existsSync(join(one, 'release', NAME, path)), path).toBe(true);

    const { components } = JSON.parse(read(one, `${NAME}.cdx.json`).toString()) as {
      components: { name: string }[];
    };
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'react', 'altcha']));
    expect(names).not.toContain('vite');
  });
});
