import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { readCommit } from './commit.ts';

const ONE = '1'.repeat(40);

const HAS_GIT = spawnSync('git', ['--version']).status === 0;
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null' },
  }).trim();

const makeClone = (path: string): string => {
  mkdirSync(path);
  git(path, 'init', '--quiet', '--initial-branch=some/branch');
  git(path, 'commit', '--quiet', '--allow-empty', '--message=first');
  return git(path, 'rev-parse', 'HEAD');
};

it.runIf(HAS_GIT).each<[name: string, change: (clone: string) => unknown]>([
  ['a branch', () => {}],
  ['a commit', (clone) => git(clone, 'checkout', '--quiet', '--detach')],
  ['a branch that git has packed', (clone) => git(clone, 'pack-refs', '--all')],
])('A clone at %s names its commit.', (_name, change) => {
  using folder = temporaryFolder();
  const clone = join(folder.path, 'clone');
  const commit = makeClone(clone);
  change(clone);
  expect(readCommit(clone)).toBe(commit);
});

it.runIf(HAS_GIT)('A worktree names its own commit, also when its branch is packed.', () => {
  using folder = temporaryFolder();
  const [clone, worktree] = [join(folder.path, 'clone'), join(folder.path, 'worktree')];
  const first = makeClone(clone);
  git(clone, 'worktree', 'add', '--quiet', '-b', 'another', worktree);
  git(worktree, 'commit', '--quiet', '--allow-empty', '--message=second');
  const second = git(worktree, 'rev-parse', 'HEAD');
  expect([readCommit(clone), readCommit(worktree)]).toEqual([first, second]);
  git(clone, 'pack-refs', '--all');
  expect([readCommit(clone), readCommit(worktree)]).toEqual([first, second]);
});

it.each([
  ['of a release', `${ONE}\n`, ONE],
  ['of something else', 'x', null],
])('Without git, a note %s is taken for what it is.', (_name, text, commit) => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, '.commit'), text);
  expect(readCommit(folder.path)).toBe(commit);
  rmSync(join(folder.path, '.commit'));
  expect(readCommit(folder.path)).toBeNull();
});
