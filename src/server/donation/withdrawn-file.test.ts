import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { DECOY_ID } from '#server/vault/donated-token-store.ts';
import { openWithdrawnFile } from './withdrawn-file.ts';

const idOf = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const [A, B, C] = [idOf(1), idOf(2), idOf(3)];

describe('the list of withdrawn tokens', () => {
  it('outlives a line that was torn, and passes over empty lines and those of decoys', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'withdrawn.txt');
    await openWithdrawnFile(path).add([A, DECOY_ID]);
    appendFileSync(path, '\n\r\n 00000000-0000-4000');
    await openWithdrawnFile(path).add([B, DECOY_ID]);
    appendFileSync(path, `${C}\r\n`);
    expect(openWithdrawnFile(path).ids()).toEqual([A, B, C]);
  });
});
