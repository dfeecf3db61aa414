import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { readCommit } from './commit.ts';

const ONE = '1'.repeat(40);

it.each([
  ['a release of upgrade.sh', { '.commit': `${ONE}\n` }, ONE],
  ['a clone', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${ONE}\n` }, ONE],
  ['a clone at a commit', { '.git/HEAD': `${ONE}\n` }, ONE],
  ['a clone whose branch is packed', { '.git/HEAD': 'ref: refs/heads/main\n' }, null],
  ['an image', {}, null],
  ['a note of something else', { '.commit': 'x' }, null],
])('of %s', (_name, files, commit) => {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(readCommit(folder.path)).toBe(commit);
});
