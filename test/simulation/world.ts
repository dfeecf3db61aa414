import { hash } from 'node:crypto';
import { join } from 'node:path';
import { parseReceipt, receiptDigest } from '#server/donation/receipt.ts';
import { createVault } from '#server/vault/vault.ts';
import { createDice } from '#test/attacks/dice.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { tokenOf } from '#test/support/well-formed.ts';
import type { Engine } from './engine.ts';
import { createLedger } from './ledger.ts';
import { createPeople } from './people.ts';
import { createSimulatedPlatform } from './platform.ts';
import { createPostgres } from './postgres.ts';
import { createHost, createSchedule, type Nature } from './schedule.ts';
import { startServer, type Server } from './server.ts';
import { createTroubles } from './trouble.ts';

/*
 * One world, any seed: three servers, visitors, donors, an operator and the platform in one process and simulated time.
 *
 * - Real are the parts of the server from admission to the platform's answers, PostgreSQL, the sandbox, and the files of
 *   withdrawn tokens. Made up are clocks, chance, the ways to PostgreSQL and to the platform, and who comes when.
 * - `schedule.ts` runs one event after the other, and lets all that follows from it happen before the next: so a seed
 *   always tells the same story. A real statement, or a write to the disk, is waited for within its event.
 * - `postgres.ts` has one connection. A message of several statements is one event, as PostgreSQL makes one transaction
 *   of it; a transaction of several messages keeps all others waiting. Races inside a statement, and between such
 *   transactions, are left to `npm run cluster`. PostgreSQL's clock is put into the text of statements.
 * - `trouble.ts` says what goes wrong, `ledger.ts` holds the promises, and what a fault excuses of them.
 */
const SERVERS = 3;
const CALM_AT_MS = 11_000;
const BACK_MS = 6_000;
const END_MS = 21_000;
const REPLAYED = 12;
const KEYS = createDice(1);
const VAULT_KEYS = { active: { kid: '1', root: KEYS.bytes(32), created: '' }, optOutKey: KEYS.bytes(32) };
/** Nobody is told so where all is well. */
const NOT_WELL = /^(?:store-|captcha-|storage-|proof-invalid|proof-expired)/;

export type Told = {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly story: string;
  readonly digest: string;
};

/** Of one seed: until a promise is broken, or to the end. */
export const playSeed = async (engine: Engine, seed: number): Promise<Told> => {
  using folder = temporaryFolder();
  const dice = createDice(seed);
  const schedule = createSchedule();
  const lines: string[] = [];
  const tell = (who: string, what: string): void =>
    void lines.push(`${(schedule.nowMs() / 1_000).toFixed(4).padStart(8)}  ${who.padEnd(10)} ${what}`);
  const nature: Nature = { schedule, dice, tell };
  const uuid = (): string =>
    dice
      .bytes(16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const random = { bytes: dice.bytes, integer: dice.below, uuid };
  const vault = createVault(VAULT_KEYS, random);
  await engine.reset();
  await engine.query(`insert into vault_key values ('${vault.kid}', '')`);

  const perSecond = dice.pick([5, 8, 50]);
  const mode = dice.pick(['sliding', 'fixed'] as const);
  const limits = {
    limit: dice.pick([3, 5, 10]),
    periodMs: dice.pick([3_000, 5_000]),
    mode,
    globalPerSecond: 50,
  };
  tell('world', JSON.stringify({ seed, perSecond, ...limits }));
  const ledger = createLedger(nature, perSecond);
  const platform = createSimulatedPlatform(nature, ledger, limits);
  const postgres = createPostgres(nature, engine);
  const ownTokens = Array.from({ length: 1 + dice.below(3) }, (_, n) => tokenOf(platform.mint(n)));

  const running = new Map<number, Server>();
  const servers = (): readonly Server[] => [...running.values()];
  const hosts = () => servers().map(({ host }) => host);
  const parts = {
    ...nature,
    servers,
    hosts,
    postgres,
    platform,
    ledger,
    vault,
    random,
    perSecond,
    ownTokens,
  };
  const boot = async (n: number): Promise<void> => {
    const host = createHost(nature, `server ${n}`);
    host.onDeath(() => {
      tell(host.name, 'is dead');
      running.delete(n);
      schedule.in(500 + dice.below(4_000), () => void boot(n));
    });
    try {
      running.set(n, await startServer({ ...parts, host, withdrawnFile: join(folder.path, `${n}`) }));
      tell(host.name, 'is there');
    } catch (error) {
      tell(host.name, `does not start: ${String(error)}`);
      host.kill();
    }
  };
  for (let n = 1; n <= SERVERS; n += 1) void boot(n);

  const people = createPeople(parts);
  const troubles = createTroubles(parts);
  const visit = async (): Promise<void> => {
    const isWell = schedule.nowMs() > CALM_AT_MS + BACK_MS;
    const told = await people.visit();
    if (isWell && NOT_WELL.test(told)) ledger.breaks(`all is well again, but a visitor is told ${told}`);
  };
  const often = (everyMs: number, untilMs: number, task: () => unknown): void => {
    for (let atMs = 1_000; atMs < untilMs; atMs += 1 + dice.below(2 * everyMs))
      schedule.at(atMs, () => void task());
  };
  often(dice.pick([100, 250, 600]), END_MS - 2_000, visit);
  often(dice.pick([400, 2_000]), CALM_AT_MS, people.donate);
  often(5_000, CALM_AT_MS, people.optOut);
  often(dice.pick([1_500, 4_000]), CALM_AT_MS, troubles.strike);
  schedule.at(CALM_AT_MS, troubles.calm);
  schedule.at(END_MS - 1_500, () => {
    for (const proof of ledger.proofs().slice(-REPLAYED)) void people.replay(proof);
  });
  await schedule.runUntil(END_MS, () => ledger.broken().length > 0);

  const { rows } = await engine.query('select receipt_digest, fingerprint from donated_token');
  const stored = new Set(rows.flatMap((row) => Object.values(row)));
  const isStored = (receipt: string): boolean => stored.has(receiptDigest(parseReceipt(receipt) ?? ''));
  if (ledger.broken().length === 0) {
    for (const receipt of ledger.mustBeKept()) if (!isStored(receipt)) ledger.breaks('a donation is lost');
    for (const receipt of ledger.mustBeGone()) if (isStored(receipt)) ledger.breaks('a withdrawal is lost');
    for (const token of ledger.mustNotBeKept())
      if (stored.has(vault.fingerprint(token))) ledger.breaks('a donation that was refused is kept');
  }
  const story = lines.join('\n');
  return { seed, broken: ledger.broken(), story, digest: hash('sha256', story) };
};
