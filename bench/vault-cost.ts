import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSandbox } from '#sandbox/sandbox.ts';
import { openDatabase } from '#server/storage/database.ts';
import { connectSqliteThread } from '#server/storage/sqlite/sqlite-thread.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { realSystem } from '#server/system.ts';
import { createDonatedTokenStore } from '#server/vault/donated-token-store.ts';
import { createKeyring, newRootKey, ROOT_BYTES } from '#server/vault/keyring.ts';
import { createVault } from '#server/vault/vault.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { atLeast, atMost, type Benchmark, type Figure } from './benchmark.ts';
import { cpuMicrosEach, interleave, ratio } from './rounds.ts';

const AIM_MICROS = { seal: 100, open: 100, fingerprint: 50 };
/** Our rows compared with bare ones: a donation must cost little more than the disk makes it cost. */
const AIM_SHARE = 0.5;
const TOKENS = 2_000;
const ROWS_PER_ROUND = 200;

const newRow = (): DonatedTokenRow => ({
  id: randomUUID(),
  kid: '0123456789abcdef',
  wrapped_key: randomBytes(60),
  ciphertext: randomBytes(98),
  fingerprint: randomBytes(32).toString('hex'),
  bot_fingerprint: randomBytes(32).toString('hex'),
  receipt_digest: randomBytes(32).toString('hex'),
  created_day: '2026-11-15',
  format: 2,
  platform: null,
});

/** Rows per second, each on disk before the next one begins. */
const perSecond = async (save: (row: DonatedTokenRow) => unknown): Promise<number> => {
  const rows = Array.from({ length: ROWS_PER_ROUND }, newRow);
  const startMs = performance.now();
  for (const row of rows) await save(row);
  return (ROWS_PER_ROUND * 1_000) / (performance.now() - startMs);
};

const measureRows = async (rounds: number): Promise<Figure[]> => {
  using folder = temporaryFolder();
  const database = await openDatabase(join(folder.path, 'ours.sqlite'), { connect: connectSqliteThread });
  const store = createDonatedTokenStore(database);
  // One table with one key, one statement, nothing but the same bytes and the same durability.
  const plain = new DatabaseSync(join(folder.path, 'bare.sqlite'));
  plain.exec('pragma journal_mode = wal; pragma synchronous = full');
  plain.exec('create table bare (id text primary key, kid, wrapped_key, ciphertext, a, b, c, day, format)');
  const insert = plain.prepare('insert into bare values (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const { ours, bare } = await interleave(rounds, {
    ours: () => perSecond((row) => store.save(row)),
    bare: () => perSecond((row) => insert.run(...Object.values(row))),
  });
  plain.close();
  await database.destroy();
  return [
    { what: 'donations kept, durable', samples: ours, unit: 'a second' },
    { what: 'bare inserts into SQLite, durable', samples: bare, unit: 'a second' },
    { what: 'ours compared with bare', ...ratio(ours, bare), aim: atLeast(AIM_SHARE) },
  ];
};

const measureVault = async (rounds: number): Promise<Figure[]> => {
  const { random } = realSystem;
  const keyring = createKeyring([newRootKey(realSystem)], random.bytes(ROOT_BYTES));
  const vault = createVault(() => keyring, random);
  const { mintToken } = createSandbox();
  const tokens = Array.from({ length: TOKENS }, (_, n) => mintToken(n));
  const sealed = tokens.map((token) => vault.seal(['row'], token));
  const micros = await interleave(rounds, {
    seal: () => cpuMicrosEach(TOKENS, () => tokens.map((token) => vault.seal(['row'], token))),
    open: () => cpuMicrosEach(TOKENS, () => sealed.map((token) => vault.open(['row'], token))),
    fingerprint: () => cpuMicrosEach(TOKENS, () => tokens.map((token) => vault.fingerprints(token))),
  });
  return (['seal', 'open', 'fingerprint'] as const).map((what) => ({
    what: `${what} a token`,
    samples: micros[what],
    unit: 'µs',
    digits: 1,
    aim: atMost(AIM_MICROS[what]),
  }));
};

export const vaultCost: Benchmark = {
  name: 'vault',
  title: 'Keeping donated tokens',
  run: async ({ quick }) => {
    const rounds = quick ? 3 : 9;
    return {
      method: [
        `Seal, open, fingerprint: CPU time of one process, passes over ${TOKENS.toLocaleString('en')} tokens in turn.`,
        'Donations: whole rows, one commit each, on disk (WAL, synchronous=FULL) before the next; by the clock on the wall.',
        'Ours replaces a row of the same bot and keeps four unique indexes; bare is one insert into a table with one.',
      ],
      figures: [...(await measureVault(rounds)), ...(await measureRows(rounds))],
    };
  },
};
