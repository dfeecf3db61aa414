// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import manifest from '#package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../../..');
/** What 0.3.0-dev is called once it is released. */
const VERSION = manifest.version.replace('-dev', '');
const NAME = `whoflake-${VERSION}`;
/** It builds. */
const PATIENCE = 600_000;

const git = (cwd: string, ...args: readonly string[]): string => {
  const names = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
  const date = '2026-01-01T00:00:00Z';
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return execFileSync('git', [...names, ...args], { cwd, encoding: 'utf8', env });
};

/** On the same disk: its packages are links, each to one file. */
const CLONES = join(ROOT, '.tools', `clones-${process.pid}`);

/** What is here, released as a version and committed at another path. */
const cloneInto = (path: string) => {
  const at = (name: string): string => join(CLONES, path, name);
  const files = git(ROOT, 'ls-files', '--cached', '--others', '--exclude-standard').trim().split('\n');
  for (const file of files.filter((file) => existsSync(join(ROOT, file)))) {
    mkdirSync(dirname(at(file)), { recursive: true });
    cpSync(join(ROOT, file), at(file));
  }
  const setVersion = (version: string, when: string): void => {
    writeFileSync(at('package.json'), JSON.stringify({ ...manifest, version }, null, 2));
    writeFileSync(at('CHANGELOG.md'), `## ${VERSION} (${when})\n\nWhat is new.\n`);
  };
  setVersion(VERSION, '2026-01-01');
  git(at('.'), 'init', '--quiet');
  git(at('.'), 'add', '--all');
  git(at('.'), 'commit', '--quiet', '--message=a release');
  return {
    at,
    setVersion,
    build: (): void => {
      execFileSync('cp', ['--archive', '--link', join(ROOT, 'node_modules'), at('node_modules')]);
      // Vitest's own would make it another build.
      const { NODE_ENV: _, ...env } = process.env;
      for (const part of [[], ['--ssr']])
        execFileSync(
          process.execPath,
          ['node_modules/vite/bin/vite.js', 'build', ...part, '--logLevel=error'],
          {
            cwd: at('.'),
            env,
          },
        );
    },
    release: (...args: readonly string[]) =>
      spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: at('.'), encoding: 'utf8' }),
  };
};

describe('npm run release', () => {
  const one = cloneInto('a/deeper/path');
  afterAll(() => rmSync(CLONES, { recursive: true, force: true }));

  it('a release is refused with a sentence, and nothing is written', { timeout: PATIENCE }, () => {
    const refused = (...args: readonly string[]): string => {
      const { status, stderr } = one.release(...args);
      expect(status).toBe(1);
      expect(readdirSync(one.at('.')).filter((name) => name.includes('release'))).toEqual([]);
      return stderr;
    };
    expect(refused('--tag', 'v9.9.9')).toContain('The tag v9.9.9 does not name the version');
    expect(refused('--frob')).toContain('Usage: npm run release');
    expect(refused('--platform', 'linux-vax')).toContain('There is no Node for linux-vax');
    expect(refused()).toContain('dist');
    expect(refused('--into', 'src')).toContain('src is not empty and no earlier release');
    expect(refused('--into', 'nowhere/release')).toContain('There is no folder');
    writeFileSync(one.at('note'), 'changed');
    expect(refused()).toContain('not committed');
    one.setVersion(VERSION, 'unreleased');
    expect(refused()).toContain(`CHANGELOG.md calls ${VERSION} unreleased`);
    one.setVersion('9.9.9', '2026-01-01');
    expect(refused()).toContain('CHANGELOG.md has no section for 9.9.9');
    rmSync(one.at('note'));
    git(one.at('.'), 'checkout', '--quiet', '.');
  });

  it(
    'a release has the same bytes from another path, and runs with nothing else',
    { timeout: PATIENCE },
    () => {
      const other = cloneInto('other');
      for (const clone of [one, other]) {
        clone.build();
        expect(clone.release().stderr).toBe('');
      }
      const platform = `linux-${process.arch}`;
      const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
      const [tarball, deb] = [`${NAME}-${platform}.tar.gz`, `whoflake_${VERSION}_${architecture}.deb`];
      const files = [tarball, deb, `${NAME}.cdx.json`, 'SHA256SUMS', 'notes.md'];
      expect(readdirSync(one.at('release')).toSorted()).toEqual(files.toSorted());
      const read = (name: string): Buffer => readFileSync(one.at(`release/${name}`));
      for (const name of files)
        expect(read(name).equals(readFileSync(other.at(`release/${name}`))), name).toBe(true);

      const options = { cwd: one.at('release'), encoding: 'utf8' } as const;
      const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], options);
      // Exactly the files that release.yml publishes next to it.
      expect(checked).toBe(`${tarball}: OK\n${NAME}.cdx.json: OK\n${deb}: OK\n`);
      execFileSync('tar', ['--extract', `--file=${tarball}`], options);
      expect(execFileSync(`${NAME}/bin/node`, ['--', `${NAME}/bin/ops`, 'help'], options)).toContain(
        'backup',
      );
      execFileSync('dpkg-deb', ['--extract', deb, 'unpacked'], options);
      expect(spawnSync('diff', ['-r', NAME, 'unpacked/opt/whoflake/package'], options).stdout).toBe('');
      // Where the pages for operators lead to.
      const pages = [
        'README.md',
        'docs/operations.md',
        'docs/backup.md',
        'docs/cluster.md',
        'docs/monitoring.md',
      ];
      const linked = pages.flatMap((page) =>
        [...readFileSync(one.at(page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) =>
          join(dirname(page), path),
        ),
      );
      const missing = linked.filter((path) => !existsSync(one.at(`release/${NAME}/${path}`)));
      expect([linked.length > 20, missing]).toEqual([true, []]);

      const bill = JSON.parse(read(`${NAME}.cdx.json`).toString()) as { components: { name: string }[] };
      const names = bill.components.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'react', 'altcha']));
      expect(names).not.toContain('vite');
    },
  );
});
