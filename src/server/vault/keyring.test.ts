import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyring, parseKeyring, serializeKeyring, type RootKey } from './keyring.ts';

const key = (digit: string, fill: number): RootKey => ({
  kid: digit.repeat(16),
  root: Buffer.alloc(32, fill),
  created: '2026-11-15T00:00:00.000Z',
});
const OPT_OUT_KEY = Buffer.alloc(32, 3);
const KEYRING = createKeyring([key('a', 1), key('b', 2)], OPT_OUT_KEY);
const TEXT = serializeKeyring(KEYRING);

describe('the keyring file', () => {
  it('is read as it was written', () => {
    const parsed = parseKeyring(TEXT);
    expect(parsed?.keys).toEqual(KEYRING.keys);
    expect(parsed?.optOutKey).toEqual(OPT_OUT_KEY);
    expect(parsed?.active).toEqual(KEYRING.active);
  });

  it('is refused with any byte altered, except in the white space', () => {
    const bytes = Buffer.from(TEXT);
    let refused = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      for (const change of [0x01, 0x02, 0x08, 0x20, 0x80]) {
        const altered = Buffer.from(bytes);
        altered.writeUInt8(bytes.readUInt8(at) ^ change, at);
        const parsed = parseKeyring(altered.toString());
        if (parsed === null) refused += 1;
        else
          expect([TEXT[at]?.trim(), parsed.keys, parsed.optOutKey]).toEqual(['', KEYRING.keys, OPT_OUT_KEY]);
      }
    }
    expect(refused).toBeGreaterThan(bytes.length * 4);
  });

  it('is refused torn, empty, of another version or without a key', () => {
    for (let length = 0; length < TEXT.trimEnd().length; length += 1)
      expect(parseKeyring(TEXT.slice(0, length))).toBeNull();
    expect(parseKeyring(TEXT.replace('"v": 1', '"v": 2'))).toBeNull();
    expect(parseKeyring(serializeKeyring({ ...KEYRING, keys: [] }))).toBeNull();
    const short = { ...key('a', 1), root: Buffer.alloc(31) };
    expect(parseKeyring(serializeKeyring(createKeyring([short], OPT_OUT_KEY)))).toBeNull();
    expect(parseKeyring(serializeKeyring(createKeyring([key('a', 1)], short.root)))).toBeNull();
  });

  it('of any content is refused without a throw', () => {
    fc.assert(fc.property(fc.json(), (text) => parseKeyring(text) === null));
  });
});

it('a derived key is its own for each purpose and root', () => {
  const derived = KEYRING.keys.flatMap(({ wrap, fingerprint, check }) => [wrap, fingerprint, check]);
  expect(new Set(derived.map((bytes) => bytes.toString('hex'))).size).toBe(6);
});
