import { readFileSync, statSync } from 'node:fs';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { createFile, replaceFile } from '#server/storage/durable-file.ts';
import { orRefuse } from '#server/storage/storage-fault.ts';
import { serializeKeyring, type Keyring } from './keyring.ts';

/** The text of the keyring file, or null if there is none. Refuses one that others on the machine can read. */
export const readKeyringFile = (path: string): string | null => {
  const unreadable = refusal(`The keyring ${path} cannot be read`, 'check who owns it and its folder.');
  const mode = orRefuse(unreadable, () => statSync(path, { throwIfNoEntry: false })?.mode);
  if (mode === undefined) return null;
  if ((mode & 0o077) !== 0)
    throw new OperatorError(
      EXIT.keyringExposed,
      `The keyring ${path} can be read by others`,
      'run chmod 600 on it.',
    );
  return orRefuse(unreadable, () => readFileSync(path, 'utf8'));
};

/** On disk before it returns: no token may be sealed under a key that can vanish. */
export const writeNewKeyringFile = (path: string, keyring: Keyring): void =>
  orRefuse(
    refusal(
      `The keyring ${path} cannot be created`,
      'check KEYRING_FILE, the owner of its folder and the disk.',
    ),
    () => createFile(path, serializeKeyring(keyring)),
  );

export const replaceKeyringFile = (path: string, keyring: Keyring): void =>
  orRefuse(
    refusal(`The keyring ${path} cannot be changed`, 'check the disk, and who owns the file and its folder.'),
    () => replaceFile(path, serializeKeyring(keyring)),
  );

const refusal = (finding: string, remedy: string): OperatorError =>
  new OperatorError(EXIT.keyringUnreadable, finding, remedy);
