import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orNull } from '#server/storage/storage-fault.ts';

/** The commit that the program in this folder was made from: `upgrade.sh` notes it, a clone has it. Null if unknown. */
export const readCommit = (root: string): string | null => {
  const read = (path: string): string => (orNull(() => readFileSync(join(root, path), 'utf8')) ?? '').trim();
  const head = read('.git/HEAD');
  const [, ref] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
  const texts = [read('.commit'), head, ref === undefined ? '' : read(`.git/${ref}`)];
  return texts.find((text) => /^[0-9a-f]{40,64}$/.test(text)) ?? null;
};
