import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { createFile, replaceFile } from '#server/storage/durable-file.ts';
import { refuseOnFileError } from '#server/storage/storage-fault.ts';
import { isoTime, type System } from '#server/system.ts';
import { parseJson } from '#shared/json.ts';

export type RootKey = { readonly kid: string; readonly root: Buffer; readonly created: string };

/**
 * Newest last; which one seals the tokens, the database says. `optOutKey` is never rotated: only digests of ids are
 * kept, and none under a new key can be made from those.
 */
export type Keyring = { readonly keys: readonly RootKey[]; readonly optOutKey: Buffer };

const VERSION = 1;
export const ROOT_BYTES = 32;
export const isKeyName = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);

export const newRootKey = ({ clock, random }: System): RootKey => ({
  kid: random.bytes(8).toString('hex'),
  root: random.bytes(ROOT_BYTES),
  created: isoTime(clock),
});

export const serializeKeyring = ({ keys, optOutKey }: Keyring): string => {
  const entries = keys.map(({ kid, root, created }) => ({ kid, root: root.toString('base64'), created }));
  const content = { keys: entries, optOutKey: optOutKey.toString('base64') };
  return `${JSON.stringify({ v: VERSION, ...content, checksum: checksum(content) }, null, 2)}\n`;
};

export const parseKeyring = (text: string): Keyring | null => {
  const content = parseJson(text) as Partial<KeyringFile> | null | undefined;
  if (content?.v !== VERSION || !Array.isArray(content.keys)) return null;
  const { keys, optOutKey = '', checksum: sum } = content;
  if (sum !== checksum({ keys, optOutKey })) return null;
  const parsed = keys.map(parseKey).filter((key) => key !== null);
  const optOut = parseRoot(optOutKey);
  if (keys.length === 0 || parsed.length < keys.length || optOut === null) return null;
  return { keys: parsed, optOutKey: optOut };
};

type KeyEntry = { kid: string; root: string; created: string };
type KeyringFile = { v: number; keys: (Partial<KeyEntry> | null)[]; optOutKey: string; checksum: string };

const parseKey = (entry: Partial<KeyEntry> | null): RootKey | null => {
  const { kid = '', root = '', created = '' } = entry ?? {};
  const bytes = parseRoot(root);
  return isKeyName(kid) && bytes !== null ? { kid, root: bytes, created } : null;
};

const parseRoot = (base64: string): Buffer | null => {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === ROOT_BYTES ? bytes : null;
};

const checksum = (content: Pick<KeyringFile, 'keys' | 'optOutKey'>): string =>
  hash('sha256', JSON.stringify(content)).slice(0, 16);

export const readKeyringFile = (path: string): string | null => {
  const unreadable = refusal(`The keyring ${path} cannot be read`, 'check who owns it and its folder.');
  const mode = refuseOnFileError(unreadable, () => statSync(path, { throwIfNoEntry: false })?.mode);
  if (mode === undefined) return null;
  if ((mode & 0o077) !== 0)
    throw new OperatorError(
      EXIT.keyringExposed,
      `The keyring ${path} can be read by others`,
      'run chmod 600 on it.',
    );
  return refuseOnFileError(unreadable, () => readFileSync(path, 'utf8'));
};

export const readKeyring = (path: string): Keyring | null => parseKeyring(readKeyringFile(path) ?? '');

/** On disk before it returns: no token may be sealed under a key that can vanish. */
export const writeNewKeyringFile = (path: string, keyring: Keyring): void =>
  refuseOnFileError(
    refusal(
      `The keyring ${path} cannot be created`,
      'check KEYRING_FILE, the owner of its folder and the disk.',
    ),
    () => createFile(path, serializeKeyring(keyring)),
  );

export const replaceKeyringFile = (path: string, keyring: Keyring): void =>
  refuseOnFileError(
    refusal(`The keyring ${path} cannot be changed`, 'check the disk, and who owns the file and its folder.'),
    () => replaceFile(path, serializeKeyring(keyring)),
  );

const refusal = (finding: string, remedy: string): OperatorError =>
  new OperatorError(EXIT.keyringUnreadable, finding, remedy);
