import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { lockFolder } from './folder-lock.ts';

const REFUSAL = expect.objectContaining({ exitCode: EXIT.serverRunning });

it('the lock of a folder is had by one, and free once it is given back', () => {
  using folder = temporaryFolder();
  {
    using _lock = lockFolder(folder.path);
    expect(() => lockFolder(folder.path)).toThrow(REFUSAL);
    expect(() => lockFolder(folder.path)).toThrow(REFUSAL);
  }
  lockFolder(folder.path)[Symbol.dispose]();
});

it('the lock of a folder makes the folder, for us alone, and leaves an empty file in it', () => {
  using folder = temporaryFolder();
  const deep = join(folder.path, 'not', 'yet');
  using _lock = lockFolder(deep);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  expect(readdirSync(deep)).toEqual(['server.lock']);
  expect(statSync(join(deep, 'server.lock')).size).toBe(0);
});

it('the lock of a folder is ours alone to lock, also one that an earlier version has made', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'server.lock');
  writeFileSync(path, '', { mode: 0o644 });
  using _lock = lockFolder(folder.path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('the lock of a folder is not made through a link that somebody has planted', () => {
  using folder = temporaryFolder();
  const target = join(folder.path, 'elsewhere');
  symlinkSync(target, join(folder.path, 'server.lock'));
  expect(() => lockFolder(folder.path)).toThrow('cannot be locked');
  expect(existsSync(target)).toBe(false);
});

it.each([0o777, 0o1777, 0o707])(
  'the lock of a folder is refused in a folder that others can write to (%o)',
  (mode) => {
    using folder = temporaryFolder();
    chmodSync(folder.path, mode);
    expect(() => lockFolder(folder.path)).toThrow(`Others can write to ${folder.path}: run chmod 700 on it`);
    expect(readdirSync(folder.path)).toEqual([]);
  },
);

it('the lock of a folder that cannot be taken for another reason is not taken for a server', () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'server.lock'));
  expect(() => lockFolder(folder.path)).toThrow(expect.objectContaining({ exitCode: EXIT.databaseUnusable }));
});
