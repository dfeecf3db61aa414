import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openWithdrawnFile } from './withdrawn-file.ts';

describe('the list of withdrawn tokens', () => {
  it('is there again after a restart', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'withdrawn.txt');
    const list = openWithdrawnFile(path);
    expect(list.has('a')).toBe(false);
    list.add('a');
    list.add('b');
    for (const reopened of [list, openWithdrawnFile(path)])
      expect(['a', 'b', 'c'].map(reopened.has)).toEqual([true, true, false]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('outlives a line that was torn', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'withdrawn.txt');
    openWithdrawnFile(path).add('a');
    appendFileSync(path, '\nhalf-a-');
    openWithdrawnFile(path).add('b');
    expect(['a', 'b'].map(openWithdrawnFile(path).has)).toEqual([true, true]);
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
