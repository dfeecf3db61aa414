import { createCipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { parseKeyring } from '#server/vault/keyring.ts';

/** The row as the first version would have sealed it: bound to its id and its key's name, and to nothing else. */
export const inFirstFormat = (row: DonatedTokenRow, token: string, keyringFile: string): DonatedTokenRow => {
  const wrappingKey = parseKeyring(readFileSync(keyringFile, 'utf8'))?.derive(row.kid, 'wrap');
  if (wrappingKey == null) throw new TypeError('The key of the row is not on the ring.');
  const encrypt = (key: Buffer, layer: string, plain: Buffer): Buffer => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(Buffer.from(['donated_token', '1', layer, row.id, row.kid].join('\0')));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  const tokenKey = randomBytes(32);
  return {
    ...row,
    wrapped_key: encrypt(wrappingKey, 'key', tokenKey),
    ciphertext: encrypt(tokenKey, 'token', Buffer.from(token)),
    format: 1,
  };
};
