import { isDeepStrictEqual } from 'node:util';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { System } from '#server/system.ts';
import { ROOT_BYTES } from '#server/vault/keyring.ts';
import { openRow, sealRow } from '#server/vault/donated-tokens.ts';
import { createVault } from '#server/vault/vault.ts';
import { createSandbox } from '#sandbox/sandbox.ts';
import { tokenOf } from '#test/support/well-formed.ts';
import { createTally, type FuzzResult } from './tally.ts';

/** All that a writer of the database could alter; the platform only tells which rows to use. */
const TEXTS = ['id', 'kid', 'fingerprint', 'bot_fingerprint', 'receipt_digest', 'created_day'] as const;
const BYTES = ['wrapped_key', 'ciphertext'] as const;
const COLUMNS = [...TEXTS, ...BYTES];

type Altered = readonly [what: string, row: DonatedTokenRow];

const flipBits = (bytes: Uint8Array): Buffer[] =>
  Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return flipped;
  });

const cutShort = (bytes: Uint8Array): Uint8Array[] =>
  Array.from(bytes.keys()).flatMap((length) => [bytes.subarray(0, length), bytes.subarray(length + 1)]);

const alter = (row: DonatedTokenRow): Altered[] => [
  ...TEXTS.flatMap((column) =>
    flipBits(Buffer.from(row[column], 'latin1')).map((bytes): Altered => [
      column,
      { ...row, [column]: bytes.toString('latin1') },
    ]),
  ),
  ...BYTES.flatMap((column) =>
    [...flipBits(row[column]), ...cutShort(row[column])].map((bytes): Altered => [
      column,
      { ...row, [column]: bytes },
    ]),
  ),
];

const swap = (row: DonatedTokenRow, other: DonatedTokenRow): Altered[] =>
  Array.from({ length: 2 ** COLUMNS.length - 2 }, (_, index): Altered => {
    const taken = COLUMNS.filter((_column, place) => ((index + 1) >> place) & 1);
    const columns = Object.fromEntries(taken.map((column) => [column, other[column]]));
    return [taken.join(' and '), { ...row, ...columns }];
  });

/** No sealed row opens once anything of it was flipped, cut or taken from another row; unaltered ones do. */
export const fuzzSealedRows = ({ random }: System, rows: number): FuzzResult => {
  const newKey = () => ({
    kid: random.bytes(8).toString('hex'),
    root: random.bytes(ROOT_BYTES),
    created: '',
  });
  const vault = createVault({ active: newKey(), optOutKey: random.bytes(ROOT_BYTES) }, random);
  const { mintToken } = createSandbox();
  const tokens = Array.from({ length: rows }, (_, n) => mintToken(n));
  const sealed = tokens.map((token, n) => {
    const identity = {
      id: random.bytes(18).toString('hex'),
      receipt_digest: random.bytes(32).toString('hex'),
      created_day: `2026-11-${10 + n}`,
      platform: 'sandbox' as const,
    };
    return sealRow(vault, identity, tokenOf(token));
  });
  const tally = createTally();
  for (const [n, row] of sealed.entries()) {
    tally.check(openRow(vault, row)?.secret.reveal() === tokens[n], () => `row ${n} does not open`);
    const others = sealed.filter((other) => other !== row);
    for (const [what, altered] of [...alter(row), ...others.flatMap((other) => swap(row, other))]) {
      if (sealed.some((other) => isDeepStrictEqual(altered, other))) continue;
      tally.check(openRow(vault, altered) === null, () => `row ${n} opens with another ${what}`);
    }
  }
  return tally.result();
};
