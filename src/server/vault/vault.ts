import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { Random } from '#server/system.ts';
import type { Keyring } from './keyring.ts';

type SealedToken = Pick<DonatedTokenRow, 'kid' | 'wrapped_key' | 'ciphertext'>;

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

/** The ring is asked for each time: it may gain and lose keys while the process runs. */
export const createVault = (keyring: () => Keyring, random: Random) => {
  const encrypt = (key: Buffer, aad: Buffer, plain: Buffer): Buffer => {
    const nonce = random.bytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, TAG).setAAD(aad);
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  /** Under the key that no rotation changes: the same on all nodes, and for good. */
  const lastingDigest = (text: string): string => digest(keyring().optOutKey, text);

  return {
    seal: (boundTo: readonly string[], token: string): SealedToken => {
      const { kid, wrap } = keyring().active;
      const tokenKey = random.bytes(KEY_BYTES);
      return {
        kid,
        wrapped_key: encrypt(wrap, aadOf('key', kid, boundTo), tokenKey),
        ciphertext: encrypt(tokenKey, aadOf('token', kid, boundTo), Buffer.from(token)),
      };
    },
    /** Null if it was altered, is bound to something else, or its key is not on the ring. */
    open: (boundTo: readonly string[], { kid, wrapped_key, ciphertext }: SealedToken): string | null => {
      const key = keyring().keys.find((candidate) => candidate.kid === kid);
      const tokenKey = key && decrypt(key.wrap, aadOf('key', kid, boundTo), wrapped_key);
      const token = tokenKey && decrypt(tokenKey, aadOf('token', kid, boundTo), ciphertext);
      return token?.toString('utf8') ?? null;
    },
    fingerprints: (text: string): readonly [string, ...string[]] => {
      const { keys, active } = keyring();
      const older = keys.filter((key) => key !== active);
      return [digest(active.fingerprint, text), ...older.map(({ fingerprint }) => digest(fingerprint, text))];
    },
    optOutDigest: (id: string) => lastingDigest(`id:${id}`),
    poolDigest: (token: string) => lastingDigest(`pool:${token}`),
    pictureSecret: () => lastingDigest('pictures'),
    checks: () => keyChecks(keyring()),
    keys: () => keyring().keys.map(({ kid, created }) => ({ kid, created })),
  };
};

/** A digest of each key, by its name: tells later whether the key is still the same. */
export type KeyChecks = ReadonlyMap<string, string>;

export const keyChecks = (keyring: Keyring): KeyChecks =>
  new Map([
    ...keyring.keys.map(({ kid, check }) => [kid, digest(check, CHECK_TEXT)] as const),
    [OPT_OUT_KID, digest(keyring.optOutKey, CHECK_TEXT)],
  ]);

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
