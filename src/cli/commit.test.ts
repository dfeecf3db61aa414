import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { readCommit } from './commit.ts';

const HAS_GIT = spawnSync('git', ['--version']).status === 0;
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null' },
  }).trim();

it.runIf(HAS_GIT)(
  'A clone and a worktree name their own commits, also when git has packed the branches.',
  () => {
    using folder = temporaryFolder();
    const [clone, worktree] = [join(folder.path, 'clone'), join(folder.path, 'worktree')];
    git(folder.path, 'init', '--quiet', '--initial-branch=some/branch', clone);
    git(clone, 'commit', '--quiet', '--allow-empty', '--message=first');
    const first = git(clone, 'rev-parse', 'HEAD');
    git(clone, 'worktree', 'add', '--quiet', '-b', 'another', worktree);
    git(worktree, 'commit', '--quiet', '--allow-empty', '--message=second');
    const commits = [first, git(worktree, 'rev-parse', 'HEAD')];
    for (const change of [['status'], ['pack-refs', '--all'], ['checkout', '--quiet', '--detach']]) {
      git(clone, ...change);
      expect([readCommit(clone), readCommit(worktree)], change.join(' ')).toEqual(commits);
    }
  },
);
