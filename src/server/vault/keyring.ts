import { createHash, hkdfSync } from 'node:crypto';
import type { System } from '#server/system.ts';
import { parseJson } from '#shared/parse-json.ts';

/** One purpose, one key: what leaks from one use tells nothing of another. */
export type KeyPurpose = 'wrap' | 'fingerprint' | 'check';

export type RootKey = { readonly kid: string; readonly root: Buffer; readonly created: string };

/** The keys that open the vault, newest last. New tokens are sealed under the newest. */
export type Keyring = {
  readonly keys: readonly RootKey[];
  readonly activeKid: string;
  /**
   * For the digests of ids that are not to be shown. It stays when the others are rotated: of an id nothing but its
   * digest is kept, and no digest under a new key could be made from that.
   */
  readonly optOutKey: Buffer;
  /** Null if no key of that name is on the ring. */
  readonly derive: (kid: string, purpose: KeyPurpose) => Buffer | null;
};

const VERSION = 1;
export const ROOT_BYTES = 32;
const KEY_BYTES = 32;
export const isKeyName = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);

export const newRootKey = ({ clock, random }: System): RootKey => ({
  kid: random.bytes(8).toString('hex'),
  root: random.bytes(ROOT_BYTES),
  created: new Date(clock.wallMs()).toISOString(),
});

export const createKeyring = (keys: readonly [RootKey, ...RootKey[]], optOutKey: Buffer): Keyring => {
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
  return { keys, activeKid: (keys.at(-1) ?? keys[0]).kid, optOutKey, derive };
};

/** The file's content: readable, versioned, and with a checksum so that a torn copy is noticed. */
export const serializeKeyring = ({ keys, optOutKey }: Keyring): string => {
  const entries = keys.map(({ kid, root, created }) => ({ kid, root: root.toString('base64'), created }));
  const content = { keys: entries, optOutKey: optOutKey.toString('base64') };
  return `${JSON.stringify({ v: VERSION, ...content, checksum: checksum(content) }, null, 2)}\n`;
};

/** Null if the text is not a whole and unaltered keyring. */
export const parseKeyring = (text: string): Keyring | null => {
  const content = parseJson(text) as Partial<KeyringFile> | null | undefined;
  if (content?.v !== VERSION || !Array.isArray(content.keys)) return null;
  const { keys, optOutKey = '', checksum: sum } = content;
  if (sum !== checksum({ keys, optOutKey })) return null;
  const [first, ...others] = keys.map(parseKey);
  const optOut = parseRoot(optOutKey);
  if (first === undefined || first === null || others.includes(null) || optOut === null) return null;
  return createKeyring([first, ...(others as RootKey[])], optOut);
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
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
