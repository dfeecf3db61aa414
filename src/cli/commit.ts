import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orNull } from '#server/storage/storage-fault.ts';

/** A release has it in `.commit`, as has what `upgrade.sh` installs; a clone has it in `.git`. */
export const readCommit = (root: string): string | null => {
  const read = (path: string): string => (orNull(() => readFileSync(join(root, path), 'utf8')) ?? '').trim();
  const head = read('.git/HEAD');
  const [, ref] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
  const texts = [read('.commit'), head, ref === undefined ? '' : read(`.git/${ref}`)];
  return texts.find((text) => /^[0-9a-f]{40,64}$/.test(text)) ?? null;
};
