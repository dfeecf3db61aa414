import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '#server/storage/database.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { realSystem } from '#server/system.ts';
import { createDonatedTokenStore } from '#server/vault/donated-token-store.ts';
import { createKeyring, newRootKey, ROOT_BYTES } from '#server/vault/keyring.ts';
import { createVault } from '#server/vault/vault.ts';
import { createSandbox } from '#sandbox/sandbox.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { ownCpuMicros } from './cpu.ts';
import { compare, interleave, median, samplesOf, spread, warmUp, type Contender } from './rounds.ts';

const AIM_MICROS = { seal: 100, open: 100, fingerprint: 50 };
/** Our own rows against bare ones: a donation must cost little more than the disk makes it cost. */
const AIM_SHARE = 0.5;
const TOKENS = 2_000;
const ROWS_PER_ROUND = 200;

const { random } = realSystem;
const tokens = (): string[] => {
  const { mintToken } = createSandbox();
  return Array.from({ length: TOKENS }, (_, n) => mintToken(n));
};
const newVault = () => {
  const keyring = createKeyring([newRootKey(realSystem)], random.bytes(ROOT_BYTES));
  return createVault(() => keyring, random);
};

const vaultContenders = (): Contender[] => {
  const vault = newVault();
  const plain = tokens();
  const sealed = plain.map((token) => vault.seal(['row'], token));
  const perToken = (work: (n: number) => unknown) => (): number => {
    const startMicros = ownCpuMicros();
    for (let n = 0; n < TOKENS; n += 1) {
      if (work(n) === null) throw new Error('A sealed token did not open.');
    }
    return (ownCpuMicros() - startMicros) / TOKENS;
  };
  return [
    { name: 'seal', round: perToken((n) => vault.seal(['row'], plain[n] ?? '')) },
    { name: 'open', round: perToken((n) => vault.open(['row'], sealed[n] ?? vault.seal([], ''))) },
    { name: 'fingerprint', round: perToken((n) => vault.fingerprints(plain[n] ?? '')) },
  ];
};

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
});

/** Rows per second, each on disk before the next one begins. */
const perSecond = async (save: (row: DonatedTokenRow) => unknown): Promise<number> => {
  const rows = Array.from({ length: ROWS_PER_ROUND }, newRow);
  const startMs = performance.now();
  for (const row of rows) await save(row);
  return (ROWS_PER_ROUND * 1_000) / (performance.now() - startMs);
};

/** One table with one key, one statement, nothing but the same bytes and the same durability. */
const openBare = (
  path: string,
): { readonly save: (row: DonatedTokenRow) => void; readonly close: () => void } => {
  const bare = new DatabaseSync(path);
  bare.exec('pragma journal_mode = wal; pragma synchronous = full');
  bare.exec('create table bare (id text primary key, kid, wrapped_key, ciphertext, a, b, c, day, format)');
  const insert = bare.prepare('insert into bare values (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  return { save: (row) => void insert.run(...Object.values(row)), close: () => bare.close() };
};

const measureRows = async (rounds: number): Promise<Figure[]> => {
  using folder = temporaryFolder();
  const database = await openDatabase(join(folder.path, 'ours.sqlite'));
  const store = createDonatedTokenStore(database);
  const bare = openBare(join(folder.path, 'bare.sqlite'));
  const contenders = [
    { name: 'ours', round: () => perSecond((row) => store.save(row)) },
    { name: 'bare', round: () => perSecond(bare.save) },
  ];
  await warmUp(contenders);
  const samples = await interleave(contenders, rounds);
  bare.close();
  await database.destroy();
  const [ours, plain] = [samplesOf(samples, 'ours'), samplesOf(samples, 'bare')];
  const { ratio, pairs } = compare(ours, plain);
  const rate = (what: string, perSeconds: readonly number[]): Figure => ({
    what,
    value: `${Math.round(median(perSeconds)).toLocaleString('en')}/s`,
    spread: spread(perSeconds, 0),
    rounds,
    aim: '',
    met: null,
  });
  return [
    rate('donations kept, durable', ours),
    rate('bare inserts into SQLite, durable', plain),
    {
      what: 'ours against bare',
      value: `×${ratio.toFixed(2)}`,
      spread: spread(pairs, 2),
      rounds,
      aim: `≥ ×${AIM_SHARE}`,
      met: ratio >= AIM_SHARE,
    },
  ];
};

const measureVault = async (rounds: number): Promise<Figure[]> => {
  const contenders = vaultContenders();
  await warmUp(contenders);
  const samples = await interleave(contenders, rounds);
  return Object.entries(AIM_MICROS).map(([what, aim]) => {
    const micros = samplesOf(samples, what);
    return {
      what: `${what} a token`,
      value: `${median(micros).toFixed(1)} µs`,
      spread: spread(micros, 1),
      rounds,
      aim: `< ${aim} µs`,
      met: median(micros) < aim,
    };
  });
};

export const vaultCost: Benchmark = {
  name: 'vault',
  run: async ({ quick }) => {
    const rounds = quick ? 3 : 9;
    return {
      title: 'Keeping donated tokens',
      method: [
        `Seal, open, fingerprint: CPU time of one process, passes over ${TOKENS.toLocaleString('en')} tokens in turn.`,
        'Donations: whole rows, one commit each, on disk (WAL, synchronous=FULL) before the next; by the clock on the wall.',
        'Ours replaces a row of the same bot and keeps four unique indexes; bare is one insert into a table with one.',
      ],
      figures: [...(await measureVault(rounds)), ...(await measureRows(rounds))],
    };
  },
};
