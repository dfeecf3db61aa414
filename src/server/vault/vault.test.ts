import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { fuzzSealedRows } from '#test/attacks/tamper-fuzz.ts';
import { createKeyring, parseKeyring, serializeKeyring, type RootKey } from './keyring.ts';
import { createVault, OPT_OUT_KID } from './vault.ts';

const key = (kid: string, fill: number): RootKey => ({
  kid,
  root: Buffer.alloc(32, fill),
  created: '2026-11-15T00:00:00.000Z',
});
const OLD = key('00000000000000aa', 1);
const NEW = key('00000000000000bb', 2);
const OPT_OUT_KEY = Buffer.alloc(32, 3);
const vaultOf = (...keys: [RootKey, ...RootKey[]]) =>
  createVault(() => createKeyring(keys, OPT_OUT_KEY), createFakeSystem().random);

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

it('a token is sealed under the newest key, and opens as long as its own is on the ring', () => {
  const sealed = vaultOf(OLD).seal(['row'], 'token');
  expect(vaultOf(OLD, NEW).open(['row'], sealed)).toBe('token');
  expect(vaultOf(NEW).open(['row'], sealed)).toBeNull();
  expect(vaultOf(OLD, NEW).seal(['row'], 'token').kid).toBe(NEW.kid);
  expect(vaultOf(key(OLD.kid, 9)).open(['row'], sealed)).toBeNull();
});

it('a digest differs by purpose, key and text', () => {
  const vault = vaultOf(OLD, NEW);
  const digests = [
    ...vault.fingerprints('a'),
    ...vault.fingerprints('b'),
    vault.optOutDigest('a'),
    vault.pictureSecret(),
    vault.poolDigest('a'),
    ...vault.checks().values(),
  ];
  expect(new Set(digests).size).toBe(10);
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(vault.poolDigest('b')).not.toBe(vault.poolDigest('a'));
  expect(vault.optOutDigest('b')).not.toBe(vault.optOutDigest('a'));
  expect([...vault.fingerprints('a'), ...vault.fingerprints('b'), vault.optOutDigest('a')]).toEqual(
    digests.slice(0, 5),
  );
});

it('a digest under the newest key comes first; those of opt-outs and pictures outlive every key', () => {
  expect(vaultOf(OLD, NEW).fingerprints('a')).toEqual([
    ...vaultOf(NEW).fingerprints('a'),
    ...vaultOf(OLD).fingerprints('a'),
  ]);
  expect(vaultOf(NEW).optOutDigest('1')).toBe(vaultOf(OLD).optOutDigest('1'));
  expect(vaultOf(NEW).pictureSecret()).toBe(vaultOf(OLD).pictureSecret());
});

it('a sealed token that was cut short, wherever, opens to nothing', () => {
  const vault = vaultOf(OLD);
  const sealed = vault.seal(['row'], 'token');
  for (let length = 0; length < sealed.ciphertext.length; length += 1)
    expect(vault.open(['row'], { ...sealed, ciphertext: sealed.ciphertext.subarray(0, length) })).toBeNull();
});

const KEYRING = createKeyring([OLD, NEW], OPT_OUT_KEY);
const TEXT = serializeKeyring(KEYRING);

it('the keyring file is read as it was written', () => {
  const parsed = parseKeyring(TEXT);
  expect(parsed?.keys).toEqual(KEYRING.keys);
  expect(parsed?.optOutKey).toEqual(OPT_OUT_KEY);
  expect(parsed?.active).toEqual(KEYRING.active);
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
  expect(parseKeyring(serializeKeyring(createKeyring([short], OPT_OUT_KEY)))).toBeNull();
  expect(parseKeyring(serializeKeyring(createKeyring([OLD], short.root)))).toBeNull();
});

it('a keyring file of any other content is refused without a throw', () => {
  fc.assert(fc.property(fc.json(), (text) => parseKeyring(text) === null));
});

it('a derived key is its own for each purpose and root', () => {
  const derived = KEYRING.keys.flatMap(({ wrap, fingerprint, check }) => [wrap, fingerprint, check]);
  expect(new Set(derived.map((bytes) => bytes.toString('hex'))).size).toBe(6);
});

it('a vault names its keys, the newest last, and has a check of each', () => {
  const vault = vaultOf(OLD, NEW);
  expect(vault.keys()).toEqual([OLD, NEW].map(({ kid, created }) => ({ kid, created })));
  expect([...vault.checks().keys()]).toEqual([OLD.kid, NEW.kid, OPT_OUT_KID]);
});
