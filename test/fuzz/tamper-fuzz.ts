import type { System } from '#server/system.ts';
import { createKeyring, ROOT_BYTES, type Keyring } from '#server/vault/keyring.ts';
import { createVault, type SealedToken } from '#server/vault/vault.ts';
import { createSandbox } from '#sandbox/sandbox.ts';
import { createTally, type FuzzResult } from './tally.ts';

/** A sealed row as a writer of the database could alter it: everything that opening depends on. */
type Row = SealedToken & { readonly id: string };

const newKeyring = ({ random }: System): Keyring => {
  const key = () => ({ kid: random.bytes(8).toString('hex'), root: random.bytes(ROOT_BYTES), created: '' });
  return createKeyring([key(), key()], random.bytes(ROOT_BYTES));
};

const flipBits = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return flipped;
  });

const flipText = (text: string): string[] =>
  flipBits(Buffer.from(text, 'latin1')).map((bytes) => bytes.toString('latin1'));

const cutShort = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length }, (_, length) => [
    bytes.subarray(0, length),
    bytes.subarray(bytes.length - length),
  ]).flat();

/** Every row that differs from `row` in one bit or that lost one of its ends. */
const alter = (row: Row): [string, Row][] => [
  ...flipText(row.id).map((id): [string, Row] => ['row id', { ...row, id }]),
  ...flipText(row.kid).map((kid): [string, Row] => ['key id', { ...row, kid }]),
  ...[...flipBits(row.wrappedKey), ...cutShort(row.wrappedKey)].map((wrappedKey): [string, Row] => [
    'wrapped key',
    { ...row, wrappedKey },
  ]),
  ...[...flipBits(row.ciphertext), ...cutShort(row.ciphertext)].map((ciphertext): [string, Row] => [
    'ciphertext',
    { ...row, ciphertext },
  ]),
];

/** Every way to put parts of `other` into `row`. */
const swap = (row: Row, other: Row): [string, Row][] =>
  Array.from({ length: 14 }, (_, index): [string, Row] => {
    const parts = index + 1;
    return [
      `swap ${parts}`,
      {
        id: parts & 1 ? other.id : row.id,
        kid: parts & 2 ? other.kid : row.kid,
        wrappedKey: parts & 4 ? other.wrappedKey : row.wrappedKey,
        ciphertext: parts & 8 ? other.ciphertext : row.ciphertext,
      },
    ];
  });

const isSame = (a: Row, b: Row): boolean =>
  a.id === b.id && a.kid === b.kid && a.wrappedKey.equals(b.wrappedKey) && a.ciphertext.equals(b.ciphertext);

/** No sealed row opens once anything of it was flipped, cut or taken from another row; unaltered ones do. */
export const fuzzSealedRows = (system: System, rows: number): FuzzResult => {
  const keyring = newKeyring(system);
  const vault = createVault(() => keyring, system.random);
  const oldRing = createKeyring([keyring.keys[0] ?? never()], keyring.optOutKey);
  const oldVault = createVault(() => oldRing, system.random);
  const tokens = Array.from({ length: rows }, (_, n) => createSandbox().mintToken(n));
  const sealed = tokens.map((token, n): Row => {
    const id = system.random.bytes(18).toString('hex');
    // Some are sealed under the key before the newest.
    return { id, ...(n % 3 === 2 ? oldVault : vault).seal(id, token) };
  });
  const tally = createTally();
  for (const [n, row] of sealed.entries()) {
    tally.check(vault.open(row.id, row) === tokens[n], () => `row ${n} does not open`);
    const others = sealed.filter((other) => other !== row);
    for (const [what, altered] of [...alter(row), ...others.flatMap((other) => swap(row, other))]) {
      if (isSame(altered, row) || sealed.some((other) => isSame(altered, other))) continue;
      tally.check(vault.open(altered.id, altered) === null, () => `row ${n} opens with another ${what}`);
    }
  }
  return tally.result();
};

const never = (): never => {
  throw new TypeError('A ring has a first key.');
};
