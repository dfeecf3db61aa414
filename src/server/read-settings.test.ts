import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { OperatorError } from '#server/operator-error.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { readOperatorsFile } from './read-settings.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const path = join(folder.path, 'site.env');
const [uid = 0, gid = 0] = [process.geteuid?.(), process.getegid?.()];
const FOREIGN = 'it belongs to another user; give it to root, or run this as its owner.';
const WRITABLE = 'others can write to it; run chmod go-w on it.';
const STRANGER = { uid: uid + 4_711, gid: gid + 4_711 };

const reading = (mode: number, user?: typeof STRANGER): string => {
  writeFileSync(path, 'PORT=1');
  chmodSync(path, mode);
  try {
    return readOperatorsFile(path, user);
  } catch (error) {
    return (error as OperatorError).remedy ?? '';
  }
};

it.each([
  [0o600, 'PORT=1'],
  [0o664, 'PORT=1'],
  [0o666, WRITABLE],
  [0o602, WRITABLE],
])('a file of settings or secrets of our own with mode %o is read, or refused: %s', (mode, read) =>
  expect(reading(mode)).toBe(read),
);

it.runIf(uid === 0)('a file of settings or secrets of another user is refused, to root as well', () => {
  writeFileSync(path, 'PORT=1');
  chownSync(path, STRANGER.uid, STRANGER.gid);
  expect(() => readOperatorsFile(path)).toThrow(FOREIGN);
  chownSync(path, 0, STRANGER.gid);
  expect([reading(0o640), reading(0o660)]).toEqual(['PORT=1', WRITABLE]);
  chownSync(path, 0, 0);
  expect(reading(0o660, STRANGER)).toBe('PORT=1');
});

it.runIf(uid !== 0)('a file of settings or secrets of another user is refused', () =>
  expect(reading(0o644, STRANGER)).toBe(FOREIGN),
);
