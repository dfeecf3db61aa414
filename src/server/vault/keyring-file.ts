import { readFileSync, statSync } from 'node:fs';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { createFile, replaceFile } from '#server/storage/durable-file.ts';
import { serializeKeyring, type Keyring } from './keyring.ts';

/** The text of the keyring file, or null if there is none. Refuses one that others on the machine can read. */
export const readKeyringFile = (path: string): string | null => {
  const finding = `The keyring ${path} cannot be read`;
  const mode = orRefuse(
    () => statSync(path, { throwIfNoEntry: false })?.mode,
    finding,
    'check who owns it and its folder.',
  );
  if (mode === undefined) return null;
  if ((mode & 0o077) !== 0)
    throw new OperatorError(
      EXIT.keyringExposed,
      `The keyring ${path} can be read by others`,
      'run chmod 600 on it.',
    );
  return orRefuse(() => readFileSync(path, 'utf8'), finding, 'check its owner.');
};

/** On disk before it returns: no token may be sealed under a key that can vanish. */
export const writeNewKeyringFile = (path: string, keyring: Keyring): void =>
  orRefuse(
    () => createFile(path, serializeKeyring(keyring)),
    `The keyring ${path} cannot be created`,
    'check KEYRING_FILE, the owner of its folder and the disk.',
  );

export const replaceKeyringFile = (path: string, keyring: Keyring): void =>
  orRefuse(
    () => replaceFile(path, serializeKeyring(keyring)),
    `The keyring ${path} cannot be changed`,
    'check the disk, and who owns the file and its folder.',
  );

/** Only what the disk refuses: a mistake of ours is not told as one of the operator's. */
const orRefuse = <T>(use: () => T, finding: string, remedy: string): T => {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new OperatorError(EXIT.keyringUnreadable, finding, remedy);
  }
};
