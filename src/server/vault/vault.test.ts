import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { fuzzSealedRows } from '#test/attacks/tamper-fuzz.ts';
import { parseKeyring, serializeKeyring, type RootKey } from './keyring.ts';
import { createVault, keyChecks, OPT_OUT_KID } from './vault.ts';

const key = (kid: string, fill: number): RootKey => ({
  kid,
  root: Buffer.alloc(32, fill),
  created: '2026-11-15T00:00:00.000Z',
});
const OLD = key('00000000000000aa', 1);
const NEW = key('00000000000000bb', 2);
const OPT_OUT_KEY = Buffer.alloc(32, 3);
const keysOf = (active: RootKey) => ({ active, optOutKey: OPT_OUT_KEY });
const vaultOf = (active: RootKey) => createVault(keysOf(active), createFakeSystem().random);

it('a sealed token opens, bound to the same texts only, however they are cut', () => {
  const vault = vaultOf(OLD);
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\\', '\0') }));
  fc.assert(
    fc.property(texts, texts, (bound, other) => {
      const isSame = JSON.stringify(bound) === JSON.stringify(other);
      expect(vault.open(other, vault.seal(bound, 'token'))).toBe(isSame ? 'token' : null);
    }),
  );
});

it(
  'a sealed token does not open with a bit flipped, an end cut off, or a column of another row',
  { tags: 'slow' },
  () => {
    const { count, broken, note } = fuzzSealedRows(createFakeSystem(), 2);
    expect([broken, note]).toEqual([0, undefined]);
    expect(count).toBeGreaterThan(3_000);
  },
);

it('a sealed token is never the same twice', () => {
  const vault = vaultOf(OLD);
  const sealed = Array.from({ length: 50 }, () => vault.seal(['row'], 'token'));
  const parts = sealed.flatMap(({ wrapped_key, ciphertext }) => [wrapped_key, ciphertext]);
  expect(new Set(parts.map((bytes) => Buffer.from(bytes.subarray(0, 12)).toString('hex'))).size).toBe(100);
});

it('a token opens under its own key only', () => {
  const sealed = vaultOf(OLD).seal(['row'], 'token');
  expect([vaultOf(OLD).kid, sealed.kid]).toEqual([OLD.kid, OLD.kid]);
  expect(vaultOf(OLD).open(['row'], sealed)).toBe('token');
  expect(vaultOf(NEW).open(['row'], sealed)).toBeNull();
  expect(vaultOf(key(OLD.kid, 9)).open(['row'], sealed)).toBeNull();
});

it('a digest differs by purpose, key and text', () => {
  const vault = vaultOf(NEW);
  const digests = [
    vaultOf(OLD).fingerprint('a'),
    vault.fingerprint('a'),
    vault.fingerprint('b'),
    vault.optOutDigest('a'),
    vault.pictureSecret(),
    vault.poolDigest('a'),
    ...keyChecks(keysOf(OLD)).values(),
    keyChecks(keysOf(NEW)).get(NEW.kid),
  ];
  expect(new Set(digests).size).toBe(9);
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(vault.poolDigest('b')).not.toBe(vault.poolDigest('a'));
  expect(vault.optOutDigest('b')).not.toBe(vault.optOutDigest('a'));
  expect(vault.fingerprint('a')).toBe(digests[1]);
});

it('the digests of opt-outs, pictures and the pool outlive every key', () => {
  expect(vaultOf(NEW).optOutDigest('1')).toBe(vaultOf(OLD).optOutDigest('1'));
  expect(vaultOf(NEW).pictureSecret()).toBe(vaultOf(OLD).pictureSecret());
  expect(vaultOf(NEW).poolDigest('a')).toBe(vaultOf(OLD).poolDigest('a'));
});

it('a sealed token that was cut short, wherever, opens to nothing', () => {
  const vault = vaultOf(OLD);
  const sealed = vault.seal(['row'], 'token');
  for (let length = 0; length < sealed.ciphertext.length; length += 1)
    expect(vault.open(['row'], { ...sealed, ciphertext: sealed.ciphertext.subarray(0, length) })).toBeNull();
});

const KEYRING = { keys: [OLD, NEW], optOutKey: OPT_OUT_KEY };
const TEXT = serializeKeyring(KEYRING);

it('the keyring file is read as it was written', () => {
  const parsed = parseKeyring(TEXT);
  expect(parsed?.keys).toEqual(KEYRING.keys);
  expect(parsed?.optOutKey).toEqual(OPT_OUT_KEY);
});

it('the keyring file is refused with any byte altered, except in the white space', () => {
  const bytes = Buffer.from(TEXT);
  let refused = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    for (const change of [0x01, 0x02, 0x08, 0x20, 0x80]) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(bytes.readUInt8(at) ^ change, at);
      const parsed = parseKeyring(altered.toString());
      if (parsed === null) refused += 1;
      else expect([TEXT[at]?.trim(), parsed.keys, parsed.optOutKey]).toEqual(['', KEYRING.keys, OPT_OUT_KEY]);
    }
  }
  expect(refused).toBeGreaterThan(bytes.length * 4);
});

it('the keyring file is refused torn, empty, of another version or without a key', () => {
  for (let length = 0; length < TEXT.trimEnd().length; length += 1)
    expect(parseKeyring(TEXT.slice(0, length))).toBeNull();
  expect(parseKeyring(TEXT.replace('"v": 1', '"v": 2'))).toBeNull();
  expect(parseKeyring(serializeKeyring({ ...KEYRING, keys: [] }))).toBeNull();
  const short = { ...OLD, root: Buffer.alloc(31) };
  expect(parseKeyring(serializeKeyring({ keys: [short], optOutKey: OPT_OUT_KEY }))).toBeNull();
  expect(parseKeyring(serializeKeyring({ keys: [OLD], optOutKey: short.root }))).toBeNull();
});

it('a keyring file of any other content is refused without a throw', () => {
  fc.assert(fc.property(fc.json(), (text) => parseKeyring(text) === null));
});

it('a vault has a check of its key and of that for opt-outs', () => {
  expect([...keyChecks(keysOf(OLD)).keys()]).toEqual([OLD.kid, OPT_OUT_KID]);
});
