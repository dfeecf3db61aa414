import { parseArgs } from 'node:util';
import { formatReport, runSuite, type ReportLine } from './report.ts';
import type { Suite } from './suite.ts';
import { canaries } from './suites/canaries.ts';
import { clientAddresses } from './suites/client-addresses.ts';
import { durableAnswers } from './suites/durable-answers.ts';
import { failingDisk } from './suites/failing-disk.ts';
import { fewDescriptors } from './suites/few-descriptors.ts';
import { junk } from './suites/junk.ts';
import { kills } from './suites/kills.ts';
import { migrationKills } from './suites/migration-kills.ts';
import { littleMemory } from './suites/little-memory.ts';
import { profiles } from './suites/profiles.ts';
import { proofs } from './suites/proofs.ts';
import { replays } from './suites/replays.ts';
import { requests } from './suites/requests.ts';
import { sealedRows } from './suites/sealed-rows.ts';

/** One after another: each has the machine for itself. */
const SUITES: readonly Suite[] = [
  requests,
  proofs,
  replays,
  profiles,
  clientAddresses,
  sealedRows,
  canaries,
  junk,
  durableAnswers,
  failingDisk,
  migrationKills,
  fewDescriptors,
  littleMemory,
  kills,
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
