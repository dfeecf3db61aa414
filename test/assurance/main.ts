import { parseArgs } from 'node:util';
import { realSystem } from '#server/system.ts';
import { searchForCanaries } from '#test/fuzz/canary-run.ts';
import { fuzzClientAddresses } from '#test/fuzz/client-address-fuzz.ts';
import { donateMuchJunk } from '#test/fuzz/junk-donations.ts';
import { killDuringDonations } from '#test/fuzz/kill-run.ts';
import { killDuringMigration } from '#test/fuzz/migration-kills.ts';
import { fuzzProfiles } from '#test/fuzz/profile-fuzz.ts';
import { fuzzProofs } from '#test/fuzz/proof-fuzz.ts';
import { fuzzReplays } from '#test/fuzz/replay-fuzz.ts';
import { fuzzSealedRows } from '#test/fuzz/tamper-fuzz.ts';
import { formatReport, runSuite, type ReportLine, type Suite } from './report.ts';
import { checkDurableAnswers } from './suites/durable-answers.ts';
import { donateWhileDiskFails } from './suites/failing-disk.ts';
import { exhaustDescriptors } from './suites/few-descriptors.ts';
import { sendHostileRequests } from './suites/hostile-requests.ts';
import { fillMemory } from './suites/little-memory.ts';
import { readLittle, sendWithoutReading } from './suites/stalled-readers.ts';
import { timeWithdrawals } from './suites/withdrawal-times.ts';

/** Run one after another: each has the machine to itself. */
const SUITES: readonly Suite[] = [
  { name: 'hostile requests to every route', run: sendHostileRequests },
  { name: 'respelled and mutated proofs', run: (seed) => fuzzProofs(seed, 50_000) },
  {
    name: 'parallel uses of one proof, in 27 spellings',
    run: () => fuzzReplays({ spellings: 27, parallel: 200 }),
  },
  { name: 'hostile profiles', run: async (seed) => fuzzProfiles(seed, 20_000) },
  { name: 'addresses claimed by one visitor', run: (seed) => fuzzClientAddresses(seed, 10_000) },
  {
    name: 'bit flips, cuts and swaps of sealed tokens',
    run: async () => fuzzSealedRows(realSystem, 12),
  },
  { name: 'donated tokens in anything that leaves the server', run: searchForCanaries },
  { name: 'junk donations with valid proofs', run: (seed) => donateMuchJunk(seed, 20_000) },
  { name: 'answers that wait for the disk', run: checkDurableAnswers },
  { name: 'withdrawals of what is there and of what is not, by the clock', run: () => timeWithdrawals(300) },
  { name: 'donations while fsync fails, and after', run: donateWhileDiskFails },
  { name: 'kills while the database is made and migrated', run: (seed) => killDuringMigration(seed, 100) },
  {
    name: '500 connections to a process with 64 descriptors',
    run: () => exhaustDescriptors({ connections: 500, descriptors: 64 }),
  },
  { name: 'requests on 500 connections that read nothing', run: sendWithoutReading },
  { name: 'a slow reader, and one that does not read', run: readLittle },
  { name: 'a million proofs, profiles and addresses in a heap of 128 MiB', run: fillMemory },
  { name: 'kills during donations and withdrawals', run: (seed) => killDuringDonations(seed, 300) },
];

const { values } = parseArgs({ options: { seed: { type: 'string' }, only: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError('--seed takes a whole number.');

const lines: ReportLine[] = [];
for (const suite of SUITES.filter(({ name }) => name.includes(values.only ?? ''))) {
  process.stderr.write(`${suite.name}…\n`);
  lines.push(await runSuite(suite, seed));
}
process.stdout.write(`\n${formatReport(lines, seed)}\n`);
process.exitCode = lines.every(({ broken }) => broken === 0) ? 0 : 1;
