import { setTimeout as delay } from 'node:timers/promises';
import { createDice } from '#test/attacks/dice.ts';
import { createTally } from '#test/attacks/tally.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { createCounts, describeLatency } from '../load/figures.ts';
import { faultOf, verdictOf, type Answer, type Visitors } from '../load/visitors.ts';
import type { ReportLine } from '../suite.ts';
import { startWorld, type World } from '../world.ts';

const CHAOS = 0.05;
/** Chaos lets a token answer about somebody else now and then, and such a token is retired: some to spare. */
const TOKENS = 500;
const REPLAY_SHARE = 0.02;
const HIT_SHARE = 0.7;
const POPULAR = 500;
const WARM_UP_PER_SECOND = 50;
const LONGEST_ANSWER_MS = 10_000;
const MAX_INVALID = 500;
const MAX_GROWTH = 0.1;
/** By then the cache of profiles is full. */
const MIN_MINUTES_FOR_MEMORY = 6;
const SAMPLES = 120;
/** What faults of the platform lead to. */
const EXPLAINED = new Set(['platform-failed', 'platform-timeout', 'platform-paused', 'pool-busy']);

const TICK_MS = 5;

/**
 * Starts so many tasks a second, whether those before have ended or not: a slow server gets no relief from it. Resolves
 * when the last one has ended.
 */
const keepPace = async (
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  task: () => Promise<void>,
): Promise<number> => {
  const startMs = performance.now();
  const tasks = new Set<Promise<void>>();
  let started = 0;
  for (let elapsedMs = 0; elapsedMs < seconds * 1_000; elapsedMs = performance.now() - startMs) {
    for (; started < (elapsedMs / 1_000) * perSecond; started += 1) {
      const running = task().finally(() => tasks.delete(running));
      tasks.add(running);
    }
    await delay(TICK_MS);
  }
  await Promise.all(tasks);
  return started;
};

type Books = ReturnType<typeof createBooks>;

const createBooks = () => {
  const verdicts = createCounts();
  const form = createTally();
  const replays = createTally();
  const explained = createCounts();
  const unexplained = createCounts();
  const tookMs = { popular: [] as number[], others: [] as number[] };
  const record = (answer: Answer): void => {
    const verdict = verdictOf(answer);
    verdicts.add(verdict);
    form.check(answer.tookMs <= LONGEST_ANSWER_MS, () => `an answer after ${Math.round(answer.tookMs)} ms`);
    if (answer.status >= 500) (EXPLAINED.has(answer.code ?? '') ? explained : unexplained).add(verdict);
  };
  /** A visit that ends without an answer is a broken one. */
  const survive = (visit: Promise<void>): Promise<void> =>
    visit.catch((error: unknown) => form.check(false, () => `no answer: ${String(error)}`));
  return { verdicts, form, replays, explained, unexplained, tookMs, record, survive };
};

const createLookups = (visitors: Visitors, books: Books, seed: number) => {
  const dice = createDice(seed);
  const popular = distinctIds(POPULAR);
  let others = POPULAR;

  const replay = async (body: object): Promise<void> => {
    const answers = await Promise.all([1, 2, 3].map(() => visitors.next().send('/lookup', body)));
    for (const answer of answers) {
      if (answer.code === 'overloaded') books.record(answer);
      else books.replays.check(answer.code === 'proof-used', () => `a replay got ${answer.status}`);
    }
  };

  const lookUp = async (discord_id: string, samplesMs: number[]): Promise<void> => {
    const answer = await visitors.next().ask('/lookup', { discord_id });
    books.record(answer);
    const fault = faultOf(answer);
    books.form.check(fault === null, () => `${fault}`);
    const { proof } = answer;
    if (proof === undefined) return;
    samplesMs.push(answer.tookMs);
    // A lookup that is refused for overload has not spent its proof.
    if (dice.chance(REPLAY_SHARE) && answer.code !== 'overloaded') await replay({ discord_id, proof });
  };

  return {
    warmUp: async () => {
      const left = popular.values();
      const pace = { perSecond: WARM_UP_PER_SECOND, seconds: POPULAR / WARM_UP_PER_SECOND };
      await keepPace(pace, () => books.survive(lookUp(left.next().value ?? '', [])));
    },
    next: () => {
      if (dice.chance(HIT_SHARE)) return lookUp(dice.pick(popular), books.tookMs.popular);
      others += 1;
      return lookUp(distinctIds(1, others)[0] ?? '', books.tookMs.others);
    },
  };
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

const errorsLine = ({ explained, unexplained }: Books, requests: number): ReportLine => {
  const expected = requests * CHAOS;
  const mostExplained = Math.ceil(expected + 4 * Math.sqrt(expected));
  return {
    name: 'errors that chaos does not explain',
    count: explained.total() + unexplained.total(),
    broken: unexplained.total() + Math.max(0, explained.total() - mostExplained),
    note: unexplained.describe() || `chaos met about ${Math.round(expected)} of ${requests} requests`,
  };
};

/** Lookups at a steady rate on a platform that fails now and then, with replays among them. */
export const runSteady = async ({
  minutes,
  'per-second': perSecond,
  seed,
}: Readonly<Record<'minutes' | 'per-second' | 'seed', number>>): Promise<ReportLine[]> => {
  const seconds = minutes * 60;
  await using world = await startWorld({ chaos: CHAOS, tokens: TOKENS });
  const { visitors } = world;
  await createLookups(visitors, createBooks(), seed).warmUp();

  const books = createBooks();
  const lookups = createLookups(visitors, books, seed);
  const over = new AbortController();
  const watching = watch(world, (seconds * 1_000) / SAMPLES, over.signal);
  // Whatever goes wrong there shows when its result is read.
  watching.catch(() => {});
  const startMs = performance.now();
  const count = await keepPace({ perSecond, seconds }, () => books.survive(lookups.next()));
  const drivenSeconds = (performance.now() - startMs) / 1_000;
  over.abort();
  const { rssMiB, invalid } = await watching;
  const { requests } = await world.sandbox.stats();
  return [
    {
      name: `lookups, ${(count / seconds).toFixed(0)} a second for ${drivenSeconds.toFixed(0)} s`,
      note: books.verdicts.describe(),
      ...books.form.result(),
      count,
    },
    errorsLine(books, requests),
    ...Object.entries({ 'in the cache': books.tookMs.popular, 'from the platform': books.tookMs.others }).map(
      ([where, samplesMs]) => ({
        name: `latency, ${where}`,
        count: samplesMs.length,
        broken: 0,
        note: describeLatency(samplesMs),
      }),
    ),
    memoryLine(rssMiB, minutes),
    { name: 'uses of a spent proof', ...books.replays.result() },
    {
      name: `invalid requests, ${MAX_INVALID} at most`,
      count: invalid,
      broken: invalid <= MAX_INVALID ? 0 : 1,
    },
  ];
};
