import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { readCommit } from './commit.ts';

it('The commit of a release is in its folder, that of a clone is asked of git, and elsewhere there is none.', () => {
  using folder = temporaryFolder();
  const git = (...args: readonly string[]): string =>
    spawnSync('git', ['-C', folder.path, ...args], { encoding: 'utf8' }).stdout ?? '';
  expect(readCommit(folder.path)).toBeNull();
  git('init', '--quiet');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '--message=first');
  expect(readCommit(folder.path) ?? '').toBe(git('rev-parse', 'HEAD').trim());
  writeFileSync(join(folder.path, '.commit'), `${'ab'.repeat(20)}\n`);
  expect(readCommit(folder.path)).toBe('ab'.repeat(20));
});
