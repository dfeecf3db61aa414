import { setTimeout as delay } from 'node:timers/promises';
import type { ReportLine } from '#test/assurance/report.ts';
import { scan } from '#test/fuzz/canary-run.ts';
import { createDice } from '#test/fuzz/dice.ts';
import { readStoredTokens } from '#test/fuzz/stored-tokens.ts';
import { createTally } from '#test/fuzz/tally.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { createDonors, type Donors } from './donors.ts';
import { createCounts, describeLatency } from './figures.ts';
import { keepPace } from './pace.ts';
import { createVisitors, faultOf, RefusedError, type Answer, type Visitors } from './visitor.ts';
import { startWorld, type World } from './world.ts';

export type SteadyOptions = { readonly minutes: number; readonly perSecond: number; readonly seed: number };

const CHAOS = 0.05;
/** Chaos lets a token answer about somebody else now and then, and such a token is retired: some to spare. */
const TOKENS = 500;
const DONATED_FROM = 100_000;
const DONATED_TOKENS = 5_000;
const DONOR_SHARE = 0.002;
const REPLAY_SHARE = 0.02;
const HIT_SHARE = 0.7;
const POPULAR = 500;
const WARM_UP_PER_SECOND = 50;
const LONGEST_ANSWER_MS = 10_000;
const MAX_INVALID = 500;
const MAX_GROWTH = 0.1;
/** Until then the cache of profiles has filled. */
const MIN_MINUTES_FOR_MEMORY = 6;
const SAMPLES = 120;
/** What faults of the platform lead to. */
const EXPLAINED = new Set([
  'platform-failed',
  'platform-timeout',
  'platform-paused',
  'pool-busy',
  'donations-paused',
]);

type Books = ReturnType<typeof createBooks>;

const createBooks = () => {
  const verdicts = createCounts();
  const form = createTally();
  const replays = createTally();
  const serverErrors = { explained: 0, unexplained: createCounts() };
  const tookMs = { popular: [] as number[], others: [] as number[] };
  const record = (answer: Answer): void => {
    const { status, code, tookMs: ms } = answer;
    verdicts.add(code === undefined ? String(status) : `${status} ${code}`);
    form.check(ms <= LONGEST_ANSWER_MS, () => `an answer after ${Math.round(ms)} ms`);
    if (status < 500) return;
    if (EXPLAINED.has(code ?? '')) serverErrors.explained += 1;
    else serverErrors.unexplained.add(`${status} ${code}`);
  };
  return { verdicts, form, replays, serverErrors, tookMs, record };
};

const createLookups = (visitors: Visitors, books: Books, seed: number) => {
  const dice = createDice(seed);
  const popular = distinctIds(POPULAR);
  let others = POPULAR;

  const replay = async (body: object): Promise<void> => {
    const answers = await Promise.all([1, 2, 3].map(() => visitors.next().post('/lookup', body)));
    for (const answer of answers) {
      if (answer.code === 'overloaded') books.record(answer);
      else books.replays.check(answer.code === 'proof-used', () => `a replay got ${answer.status}`);
    }
  };

  const lookUp = async (id: string, samplesMs: number[]): Promise<void> => {
    const visitor = visitors.next();
    const body = { discord_id: id, proof: await visitor.solve() };
    const answer = await visitor.post('/lookup', body);
    books.record(answer);
    const fault = faultOf(answer);
    books.form.check(fault === null, () => `${fault}`);
    samplesMs.push(answer.tookMs);
    // Whoever is refused for overload has not spent the proof.
    if (dice.chance(REPLAY_SHARE) && answer.code !== 'overloaded') await replay(body);
  };

  return {
    warmUp: async () => {
      const left = popular.values();
      const pace = { perSecond: WARM_UP_PER_SECOND, seconds: POPULAR / WARM_UP_PER_SECOND };
      await keepPace(pace, () => survive(lookUp(left.next().value ?? '', []), books));
    },
    next: () => {
      if (dice.chance(HIT_SHARE)) return lookUp(dice.pick(popular), books.tookMs.popular);
      others += 1;
      return lookUp(distinctIds(1, others)[0] ?? '', books.tookMs.others);
    },
  };
};

/** A visit that ends without an answer is a broken one; a refused challenge is an answer like any other. */
const survive = async (visit: Promise<void>, books: Books): Promise<void> => {
  try {
    await visit;
  } catch (error) {
    if (error instanceof RefusedError) {
      books.record({ status: error.status, code: error.code, body: {}, tookMs: 0 });
    } else books.form.check(false, () => `no answer: ${String(error)}`);
  }
};

type Health = { readonly rssMiB: number[]; invalid: number };

/** Samples the process at even distances until told to stop. */
const watch = async (world: World, everyMs: number, over: AbortSignal): Promise<Health> => {
  const health: Health = { rssMiB: [], invalid: 0 };
  const read = (text: string, name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  while (!over.aborted) {
    const { text } = await world.readAdmin('/metrics');
    health.rssMiB.push(read(text, 'process_resident_memory_bytes') / 2 ** 20);
    health.invalid = Math.max(health.invalid, read(text, 'whoflake_invalid_requests'));
    await delay(everyMs, undefined, { signal: over }).catch(() => {});
  }
  return health;
};

const memoryLine = (rssMiB: readonly number[], minutes: number): ReportLine => {
  // Between two collections of garbage memory rises and falls by a quarter; a leak raises what it falls to.
  const quarter = Math.floor(rssMiB.length / 4);
  const [before = 0, after = 0] = [rssMiB.slice(-2 * quarter, -quarter), rssMiB.slice(-quarter)].map(
    (samples) => Math.min(...samples),
  );
  const marks = [0.25, 0.5, 0.75, 1].map((share) => rssMiB[Math.ceil(rssMiB.length * share) - 1]?.toFixed(0));
  const flat = quarter > 1 && after <= before * (1 + MAX_GROWTH);
  const judged = minutes >= MIN_MINUTES_FOR_MEMORY;
  return {
    name: judged ? 'memory is flat in the second half' : 'memory (not judged: the caches still fill)',
    count: rssMiB.length,
    broken: judged && !flat ? 1 : 0,
    note: `at 25/50/75/100 %: ${marks.join('/')} MiB; lowest of the last quarters: ${before.toFixed(0)}, ${after.toFixed(0)} MiB`,
  };
};

const secretsLine = async (world: World, donors: Donors): Promise<ReportLine> => {
  const places = new Map([['output', world.server.output()]]);
  for (const path of ['/metrics', '/readyz']) places.set(path, (await world.readAdmin(path)).text);
  const tally = createTally();
  scan(tally, places, [...world.tokens, ...donors.donated()]);
  for (const [place, text] of places) {
    tally.check(!/\b2000000000000\d{5}\b/.test(text), () => `${place} shows a looked-up id`);
    tally.check(!/\b(?!127\.)\d+\.\d+\.\d+\.\d+\b/.test(text), () => `${place} shows an address`);
  }
  return { name: 'secrets in output and metrics', ...tally.result() };
};

/** Stops the server, starts it again over the same data and stops it for good. */
const restartLines = async (world: World, donors: Donors): Promise<ReportLine[]> => {
  world.server.signal('SIGTERM');
  const first = await world.server.ended;
  const stored = await readStoredTokens(world.dataDir);
  await using again = world.restart();
  await again.origin;
  const opened = Number(/"event":"tokens-refreshed","opened":(\d+)/.exec(again.output())?.[1]);
  again.signal('SIGTERM');
  const second = await again.ended;
  const lost = donors.broken(stored) + (opened === stored.kept.size ? 0 : 1);
  const note = `${stored.kept.size} kept and restored, ${stored.retired} retired by the platform's faults`;
  const exits = [first.exitCode, second.exitCode];
  return [
    { name: 'acknowledged donations and withdrawals', count: donors.acknowledged(), broken: lost, note },
    {
      name: 'ends of the process',
      count: 2,
      broken: exits.filter((code) => code !== 0).length,
      note: `exit codes ${exits.join(', ')}`,
    },
  ];
};

/** Lookups at a steady rate on a platform that fails now and then, with replays and donations among them. */
export const runSteady = async ({ minutes, perSecond, seed }: SteadyOptions): Promise<ReportLine[]> => {
  const seconds = minutes * 60;
  await using world = await startWorld({ chaos: CHAOS, tokens: TOKENS });
  await using visitors = createVisitors(() => world.origin);
  const dice = createDice(seed + 1);
  const tokens = await world.mintTokens(DONATED_TOKENS, DONATED_FROM);
  await createLookups(visitors, createBooks(), seed).warmUp();

  const books = createBooks();
  const lookups = createLookups(visitors, books, seed);
  const donors = createDonors({ visitors, dice, tokens, onAnswer: books.record });
  const over = new AbortController();
  const watching = watch(world, (seconds * 1_000) / SAMPLES, over.signal);
  // Whatever goes wrong there shows when its result is read.
  watching.catch(() => {});
  const startMs = performance.now();
  let count = 0;
  await keepPace({ perSecond, seconds }, async () => {
    if (dice.chance(DONOR_SHARE)) await survive(donors.come(), books);
    count += 1;
    await survive(lookups.next(), books);
  });
  const rate = count / seconds;
  const drivenSeconds = (performance.now() - startMs) / 1_000;
  over.abort();
  const { rssMiB, invalid } = await watching;
  const { requests } = await world.sandboxStats();
  const { explained, unexplained } = books.serverErrors;
  const mostExplained = Math.ceil(requests * CHAOS + 4 * Math.sqrt(requests * CHAOS));
  const unexplainedCount = unexplained.values().reduce((sum, times) => sum + times, 0);
  const { broken: malformed, note: malformedNote } = books.form.result();
  return [
    {
      name: `lookups, ${rate.toFixed(0)} a second for ${drivenSeconds.toFixed(0)} s`,
      count,
      broken: malformed,
      note: malformedNote ?? books.verdicts.describe(),
    },
    {
      name: 'errors that chaos does not explain',
      count: explained + unexplainedCount,
      broken: unexplainedCount + Math.max(0, explained - mostExplained),
      note:
        unexplained.describe() || `chaos met about ${Math.round(requests * CHAOS)} of ${requests} requests`,
    },
    {
      name: 'latency, in the cache',
      count: books.tookMs.popular.length,
      broken: 0,
      note: describeLatency(books.tookMs.popular),
    },
    {
      name: 'latency, from the platform',
      count: books.tookMs.others.length,
      broken: 0,
      note: describeLatency(books.tookMs.others),
    },
    memoryLine(rssMiB, minutes),
    { name: 'uses of a spent proof', ...books.replays.result() },
    {
      name: `invalid requests, ${MAX_INVALID} at most`,
      count: invalid,
      broken: invalid <= MAX_INVALID ? 0 : 1,
    },
    await secretsLine(world, donors),
    ...(await restartLines(world, donors)),
  ];
};
