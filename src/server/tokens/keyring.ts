import { createHash, hkdfSync } from 'node:crypto';

/** One purpose, one key: what leaks from one use tells nothing of another. */
export type KeyPurpose = 'wrap' | 'fingerprint' | 'receipt' | 'check';

export type RootKey = { readonly kid: string; readonly root: Buffer; readonly created: string };

/** The keys that open the vault, newest last. New tokens are sealed under the newest. */
export type Keyring = {
  readonly keys: readonly RootKey[];
  readonly activeKid: string;
  /** Null if no key of that name is on the ring. */
  readonly derive: (kid: string, purpose: KeyPurpose) => Buffer | null;
};

const VERSION = 1;
export const ROOT_BYTES = 32;
const KEY_BYTES = 32;
const KID = /^[0-9a-f]{16}$/;

export const createKeyring = (keys: readonly [RootKey, ...RootKey[]]): Keyring => {
  const derived = new Map<string, Buffer>();
  const derive = (kid: string, purpose: KeyPurpose): Buffer | null => {
    const name = `${kid}/${purpose}`;
    const known = derived.get(name);
    if (known !== undefined) return known;
    const key = keys.find((candidate) => candidate.kid === kid);
    if (key === undefined) return null;
    const made = Buffer.from(hkdfSync('sha256', key.root, kid, `whoflake/v${VERSION}/${purpose}`, KEY_BYTES));
    derived.set(name, made);
    return made;
  };
  return { keys, activeKid: (keys.at(-1) ?? keys[0]).kid, derive };
};

/** The file's content: readable, versioned, and with a checksum so that a torn copy is noticed. */
export const serializeKeyring = ({ keys }: Keyring): string => {
  const entries = keys.map(({ kid, root, created }) => ({ kid, root: root.toString('base64'), created }));
  return `${JSON.stringify({ v: VERSION, keys: entries, checksum: checksum(entries) }, null, 2)}\n`;
};

/** Null if the text is not a whole and unaltered keyring. */
export const parseKeyring = (text: string): Keyring | null => {
  const content = parseJson(text) as Partial<KeyringFile> | null;
  if (content?.v !== VERSION || !Array.isArray(content.keys) || content.checksum !== checksum(content.keys))
    return null;
  const [first, ...others] = content.keys.map(parseKey);
  if (first === undefined || first === null || others.includes(null)) return null;
  return createKeyring([first, ...(others as RootKey[])]);
};

type KeyEntry = { kid: string; root: string; created: string };
type KeyringFile = { v: number; keys: (Partial<KeyEntry> | null)[]; checksum: string };

const parseKey = (entry: Partial<KeyEntry> | null): RootKey | null => {
  const { kid = '', root = '', created = '' } = entry ?? {};
  const bytes = Buffer.from(root, 'base64');
  return KID.test(kid) && bytes.length === ROOT_BYTES ? { kid, root: bytes, created } : null;
};

const checksum = (entries: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 16);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
