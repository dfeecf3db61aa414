import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { Random } from '#server/system.ts';
import type { RootKey } from './keyring.ts';

export type SealedToken = Pick<DonatedTokenRow, 'kid' | 'wrapped_key' | 'ciphertext'>;

export type VaultKeys = { readonly active: RootKey; readonly optOutKey: Buffer };

/** Each token has a key of its own. Both layers are bound to the rest of its row: altered or moved, nothing opens. */
export type Vault = ReturnType<typeof createVault>;

export const OPT_OUT_KID = 'opt-out';
const CHECK_TEXT = 'whoflake';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Node would take shorter tags if it were not told. */
const TAG = { authTagLength: TAG_BYTES };

export const createVault = ({ active, optOutKey }: VaultKeys, random: Random) => {
  const wrap = derive(active, 'wrap');
  const fingerprintKey = derive(active, 'fingerprint');
  const encrypt = (key: Buffer, aad: Buffer, plain: Buffer): Buffer => {
    const nonce = random.bytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, TAG).setAAD(aad);
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  /** Under the key that no rotation changes: the same on all nodes, and for good. */
  const lastingDigest = (text: string): string => digest(optOutKey, text);

  return {
    /** The name of its key. */
    kid: active.kid,
    seal: (boundTo: readonly string[], token: string): SealedToken => {
      const tokenKey = random.bytes(KEY_BYTES);
      return {
        kid: active.kid,
        wrapped_key: encrypt(wrap, aadOf('key', active.kid, boundTo), tokenKey),
        ciphertext: encrypt(tokenKey, aadOf('token', active.kid, boundTo), Buffer.from(token)),
      };
    },
    /** Null if it was altered, is bound to something else, or is under another key. */
    open: (boundTo: readonly string[], { kid, wrapped_key, ciphertext }: SealedToken): string | null => {
      const tokenKey = kid === active.kid ? decrypt(wrap, aadOf('key', kid, boundTo), wrapped_key) : null;
      const token = tokenKey && decrypt(tokenKey, aadOf('token', kid, boundTo), ciphertext);
      return token?.toString('utf8') ?? null;
    },
    fingerprint: (text: string) => digest(fingerprintKey, text),
    optOutDigest: (id: string) => lastingDigest(`id:${id}`),
    poolDigest: (token: string) => lastingDigest(`pool:${token}`),
    pictureSecret: () => lastingDigest('pictures'),
  };
};

/** A digest of each key, by its name: tells later whether the key is still the same. */
export type KeyChecks = ReadonlyMap<string, string>;

export const keyChecks = ({ active, optOutKey }: VaultKeys): KeyChecks =>
  new Map([
    [active.kid, digest(derive(active, 'check'), CHECK_TEXT)],
    [OPT_OUT_KID, optOutCheck(optOutKey)],
  ]);

export const optOutCheck = (optOutKey: Buffer): string => digest(optOutKey, CHECK_TEXT);

/** One purpose, one key: what leaks from one use tells nothing of another. */
const derive = ({ kid, root }: RootKey, purpose: 'wrap' | 'fingerprint' | 'check'): Buffer =>
  Buffer.from(hkdfSync('sha256', root, kid, `whoflake/v1/${purpose}`, KEY_BYTES));

const digest = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex');

/** JSON, because no two lists share a spelling. */
const aadOf = (layer: 'key' | 'token', kid: string, boundTo: readonly string[]): Buffer =>
  Buffer.from(JSON.stringify(['donated_token', layer, kid, ...boundTo]));

const decrypt = (key: Buffer, aad: Buffer, sealed: Uint8Array): Buffer | null => {
  if (key.length !== KEY_BYTES || sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), TAG);
    decipher.setAAD(aad).setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
};
