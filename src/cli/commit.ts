import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { nullOnFileError } from '#server/storage/storage-fault.ts';

const read = (...path: readonly string[]): string =>
  (nullOnFileError(() => readFileSync(resolve(...path), 'utf8')) ?? '').trim();

/** A release has it in `.commit`; a clone has it in `.git`. */
export const readCommit = (root: string): string | null =>
  [read(root, '.commit'), readHead(root)].find((text) => /^[0-9a-f]{40,64}$/.test(text)) ?? null;

const readHead = (root: string): string => {
  // In a worktree `.git` is a file that names a folder, and that names the clone's.
  const [, named = '.git'] = /^gitdir: (.+)$/.exec(read(root, '.git')) ?? [];
  const own = resolve(root, named);
  const head = read(own, 'HEAD');
  const [, ref] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
  if (ref === undefined) return head;
  const shared = resolve(own, read(own, 'commondir'));
  const packed = read(shared, 'packed-refs').split('\n');
  return read(shared, ref) || (packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? '');
};
