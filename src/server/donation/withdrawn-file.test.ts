import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { DECOY_ID } from './decoy.ts';
import { openWithdrawnFile } from './withdrawn-file.ts';

const idOf = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const [A, B, C] = [idOf(1), idOf(2), idOf(3)];

describe('the list of withdrawn tokens', () => {
  it('is there again after a restart', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'withdrawn.txt');
    const list = openWithdrawnFile(path);
    expect(list.has(A)).toBe(false);
    await list.add([A]);
    await list.add([B]);
    for (const reopened of [list, openWithdrawnFile(path)])
      expect([A, B, C].map(reopened.has)).toEqual([true, true, false]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('outlives a line that was torn, and passes over empty lines and those of decoys', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'withdrawn.txt');
    await openWithdrawnFile(path).add([A, DECOY_ID]);
    appendFileSync(path, '\n\r\n 00000000-0000-4000');
    await openWithdrawnFile(path).add([B, DECOY_ID]);
    appendFileSync(path, `${C}\r\n`);
    expect(openWithdrawnFile(path).ids()).toEqual([A, B, C]);
  });

  it('is not taken for empty when it cannot be read', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'withdrawn.txt');
    mkdirSync(path);
    expect(() => openWithdrawnFile(path)).toThrow(
      expect.objectContaining({ exitCode: EXIT.withdrawnUnreadable }),
    );
  });
});
