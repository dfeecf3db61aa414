import { chmodSync, existsSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { lockFolder, refuseForgottenSite } from './data-folder.ts';

const REFUSAL = expect.objectContaining({ exitCode: EXIT.serverRunning });

it('a folder is locked by one server, and free once it is given back', () => {
  using folder = temporaryFolder();
  const lock = lockFolder(folder.path);
  for (const _again of [1, 2]) expect(() => lockFolder(folder.path)).toThrow(REFUSAL);
  lock[Symbol.dispose]();
  lockFolder(folder.path)[Symbol.dispose]();
});

it('a folder that is locked is made for us alone, with an empty file in it', () => {
  using folder = temporaryFolder();
  const deep = join(folder.path, 'not', 'yet');
  using _lock = lockFolder(deep);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  expect(readdirSync(deep)).toEqual(['server.lock']);
  const { mode, size } = statSync(join(deep, 'server.lock'));
  expect([mode & 0o777, size]).toEqual([0o600, 0]);
});

it('a lock is not made through a link that somebody has planted', () => {
  using folder = temporaryFolder();
  const target = join(folder.path, 'elsewhere');
  symlinkSync(target, join(folder.path, 'server.lock'));
  expect(() => lockFolder(folder.path)).toThrow('cannot be locked');
  expect(existsSync(target)).toBe(false);
});

it.each([0o777, 0o1777, 0o707])('a folder that others can write to (%o) is not locked', (mode) => {
  using folder = temporaryFolder();
  chmodSync(folder.path, mode);
  expect(() => lockFolder(folder.path)).toThrow(`Others can write to ${folder.path}: run chmod 700 on it`);
  expect(readdirSync(folder.path)).toEqual([]);
});

it('a site is not begun where nothing would show later that there has been one', () => {
  const keyringFile = '/nowhere/data/keyring.json';
  const places = { dataDir: '/nowhere/data', keyringFile, databaseUrl: null, backupDir: null };
  expect(() => refuseForgottenSite(places)).toThrow('set KEYRING_FILE to a place outside of it');
  expect(() => refuseForgottenSite({ ...places, keyringFile: '/nowhere/keyring.json' })).not.toThrow();
});
