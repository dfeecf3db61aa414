import { readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as macrotask } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { appendToFile, createFile, replaceFile } from './durable-file.ts';

it('makes a file for us alone, with its folder, and never over another', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'new', 'file');
  createFile(path, 'first');
  expect(() => createFile(path, 'second')).toThrow('EEXIST');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['first', 0o600]);
  expect(readdirSync(join(folder.path, 'new'))).toEqual(['file']);
});

it('replaces a file whole', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'file');
  replaceFile(path, 'first');
  replaceFile(path, 'second');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['second', 0o600]);
  expect(readdirSync(folder.path)).toEqual(['file']);
});

it('lets others go on while it waits for the disk', async () => {
  using folder = temporaryFolder();
  const order: string[] = [];
  const added = appendToFile(join(folder.path, 'file'), 'one').then(() => order.push('added'));
  await macrotask();
  order.push('others');
  await added;
  expect(order).toEqual(['others', 'added']);
});

it('does not append through a link', async () => {
  using folder = temporaryFolder();
  const target = join(folder.path, 'of-somebody-else');
  writeFileSync(target, 'theirs\n');
  symlinkSync(target, join(folder.path, 'file'));
  await expect(appendToFile(join(folder.path, 'file'), 'ours\n')).rejects.toMatchObject({ code: 'ELOOP' });
  expect(readFileSync(target, 'utf8')).toBe('theirs\n');
});
