import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatReport, type ReportLine } from '#test/assurance/report.ts';
import { createDice } from '#test/fuzz/dice.ts';
import { createDonors, type Donors } from '#test/soak/donors.ts';
import { createVisitors } from '#test/soak/visitor.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import { startBalancer } from './balancer.ts';
import { createBooks } from './books.ts';
import { RUN } from './scenario.ts';
import { startCluster } from './cluster.ts';
import { ENGINE_FAULTS } from './engine-faults.ts';
import { FIRST_STARTS } from './first-starts.ts';
import { startLoad } from './load.ts';
import { NODE_FAULTS } from './node-faults.ts';
import { promiseLines } from './promises.ts';
import { runStep, type Scene, type Step } from './step.ts';
import { TWO_VERSIONS } from './two-versions.ts';

const HELP = `npm run cluster -- [--minutes 2] [--proofs 50000] [--only <word>] [--quick] [--seed <n>]

Four servers, Redis, PostgreSQL and the sandbox on this machine, under load, while one after the other is
killed, stopped, cut off, slowed down or replaced. --only runs the steps with that word in their name. Ends
with 1 if a promise was broken.
`;

const LANES = { popular: 32, new: 16 };
const DONATED_FROM = 100_000;
const DONATED_TOKENS = 5_000;
const DONOR_EVERY_MS = 500;
const LENT_FOR_MS = 4_000;

const STEPS: readonly Step[] = [
  ...NODE_FAULTS.slice(0, 1),
  ...ENGINE_FAULTS,
  FIRST_STARTS,
  TWO_VERSIONS,
  // Last, so that the proofs of the longest step are still good when they are sent again.
  ...NODE_FAULTS.slice(1),
];

const say = ({ name, broken, note = '' }: ReportLine): void =>
  void process.stderr.write(`${broken === 0 ? 'ok    ' : 'BROKEN'} ${name}: ${note}\n`);

/** Donors come one by one, whatever the state of things; who is refused does not come again. */
const keepDonating = async (donors: Donors, over: AbortSignal): Promise<void> => {
  const visits = new Set<Promise<void>>();
  while (!over.aborted) {
    const visit = donors
      .come()
      .catch(() => {})
      .finally(() => visits.delete(visit));
    visits.add(visit);
    await delay(DONOR_EVERY_MS);
  }
  await Promise.all(visits);
};

type Options = Pick<Scene, 'quick' | 'seconds' | 'proofs'> & { readonly seed: number; readonly only: string };

const run = async ({ seed, only, ...options }: Options, interrupted: AbortSignal): Promise<ReportLine[]> => {
  await using cluster = await startCluster(RUN);
  await using balancer = startBalancer(cluster.nodes);
  await using visitors = createVisitors(balancer.origin);
  const dice = createDice(seed);
  const books = createBooks();
  const donors = createDonors({
    visitors,
    dice,
    tokens: await cluster.sandbox.mintTokens(DONATED_TOKENS, DONATED_FROM),
    onAnswer: () => {},
    beforeWithdrawal: () => delay(LENT_FOR_MS),
  });
  const over = new AbortController();
  const lines: ReportLine[] = [];
  const load = startLoad({ visitors, books, dice, lanes: LANES });
  const donating = keepDonating(donors, over.signal);
  const scene: Scene = { cluster, balancer, load, books, visitors, dice, ...options };
  // Until those who are popular are known.
  await books.nextAnswer('new', 30_000);
  await delay(3_000);
  for (const step of STEPS.filter(({ name }) => name.includes(only))) {
    if (interrupted.aborted) break;
    const line = await runStep(scene, step);
    say(line);
    lines.push(line);
  }
  over.abort();
  await donating;
  await load[Symbol.asyncDispose]();
  return [...lines, ...(await promiseLines(scene, donors))];
};

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    proofs: { type: 'string' },
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    help: { type: 'boolean', default: false },
  },
});
const { quick, only } = values;
const seconds = 60 * Number(values.minutes ?? (quick ? 0.3 : 2));
const proofs = Number(values.proofs ?? (quick ? 1_000 : 50_000));
const seed = Number(values.seed);
if (values.help || ![seconds, proofs, seed].every((value) => value >= 0)) {
  process.stderr.write(HELP);
  process.exit(values.help ? 0 : 2);
}
const missing = REDIS_MISSING ?? POSTGRES_MISSING;
if (missing !== null) {
  process.stderr.write(
    `${missing} \`node scripts/setup.mjs stores\` unpacks both where Debian's packages can be had.\n`,
  );
  process.exit(1);
}
const interrupt = new AbortController();
// The engines run in groups of their own and would outlive us: the step ends first, and all the rest with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
const lines = await run({ quick, seconds, proofs, seed, only }, interrupt.signal);
process.stdout.write(`\n${formatReport(lines, seed)}\n`);
process.exitCode = lines.every(({ broken }) => broken === 0) ? 0 : 1;
