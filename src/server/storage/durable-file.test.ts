import fs, { readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { appendToFile, createFile, replaceFile, syncFile } from './durable-file.ts';

it('nothing is appended through a link', async () => {
  using folder = temporaryFolder();
  const target = join(folder.path, 'of-somebody-else');
  writeFileSync(target, 'theirs\n');
  symlinkSync(target, join(folder.path, 'file'));
  await expect(appendToFile(join(folder.path, 'file'), 'ours\n')).rejects.toMatchObject({ code: 'ELOOP' });
  expect(readFileSync(target, 'utf8')).toBe('theirs\n');
});

it('content and name of a file are on disk in the order that a power cut asks for', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'file');
  const steps: string[] = [];
  const note = (fd: number): void => void steps.push(basename(readlinkSync(`/proc/self/fd/${fd}`)));
  const { linkSync, renameSync } = fs;
  await using handle = await open(folder.path);
  const handles = Object.getPrototypeOf(handle) as typeof handle;
  vi.spyOn(handles, 'sync').mockImplementation(async function sync(this: typeof handle) {
    note(this.fd);
  });
  vi.spyOn(fs, 'fsyncSync').mockImplementation(note);
  vi.spyOn(fs, 'linkSync').mockImplementation((...names) => (steps.push('link'), linkSync(...names)));
  vi.spyOn(fs, 'renameSync').mockImplementation((...names) => (steps.push('rename'), renameSync(...names)));
  syncBuiltinESMExports();
  const stepsOf = async (work: () => unknown): Promise<string> => (await work(), steps.splice(0).join(' '));
  try {
    const own = basename(folder.path);
    expect(await stepsOf(() => createFile(path, 'one'))).toBe(`file.new link ${own}`);
    expect(await stepsOf(() => replaceFile(path, 'two'))).toBe(`file.new rename ${own}`);
    expect(await stepsOf(() => appendToFile(path, 'three'))).toBe(`file ${own}`);
    expect(await stepsOf(() => syncFile(path))).toBe(`file ${own}`);
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
});
