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
const keepPace = async (perSecond: number, seconds: number, task: () => Promise<void>): Promise<number> => {
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

const createLookups = (visitors: Visitors, seed: number) => {
  const dice = createDice(seed);
  const popular = distinctIds(POPULAR);
  const [form, replays] = [createTally(), createTally()];
  const [verdicts, explained, unexplained] = [createCounts(), createCounts(), createCounts()];
  const tookMs = { popular: [] as number[], others: [] as number[] };
  let others = POPULAR;

  const record = (answer: Answer): void => {
    const verdict = verdictOf(answer);
    verdicts.add(verdict);
    const fault = faultOf(answer);
    form.check(fault === null, () => `${fault}`);
    form.check(answer.tookMs <= LONGEST_ANSWER_MS, () => `an answer after ${Math.round(answer.tookMs)} ms`);
    if (answer.status >= 500) (EXPLAINED.has(answer.code ?? '') ? explained : unexplained).add(verdict);
  };
  const lookUp = async (discord_id: string, samplesMs: number[]): Promise<void> => {
    const answer = await visitors.next().ask('/lookup', { discord_id });
    record(answer);
    const { proof } = answer;
    if (proof === undefined) return;
    samplesMs.push(answer.tookMs);
    // A lookup that is refused for overload has not spent its proof.
    if (!dice.chance(REPLAY_SHARE) || answer.code === 'overloaded') return;
    const body = { discord_id, proof };
    for (const again of await Promise.all([1, 2, 3].map(() => visitors.next().send('/lookup', body))))
      if (again.code === 'overloaded') record(again);
      else replays.check(again.code === 'proof-used', () => `a replay got ${again.status}`);
  };
  /** A visit that ends without an answer is a broken one. */
  const survive = (visit: Promise<void>): Promise<void> =>
    visit.catch((error: unknown) => form.check(false, () => `no answer: ${String(error)}`));

  return {
    warmUp: async () => {
      const left = popular.values();
      await keepPace(WARM_UP_PER_SECOND, POPULAR / WARM_UP_PER_SECOND, () =>
        survive(lookUp(left.next().value ?? '', [])),
      );
    },
    next: (): Promise<void> => {
      if (dice.chance(HIT_SHARE)) return survive(lookUp(dice.pick(popular), tookMs.popular));
      others += 1;
      return survive(lookUp(distinctIds(1, others)[0] ?? '', tookMs.others));
    },
    books: { form, replays, verdicts, explained, unexplained, tookMs },
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
  const [before, after] = [rssMiB.slice(-2 * quarter, -quarter), rssMiB.slice(-quarter)].map((samples) =>
    Math.min(...samples),
  ) as [number, number];
  const judged = minutes >= MIN_MINUTES_FOR_MEMORY;
  return {
    name: judged ? 'memory is flat in the second half' : 'memory (not judged: the caches still fill)',
    count: rssMiB.length,
    broken: judged && !(quarter > 1 && after <= before * (1 + MAX_GROWTH)) ? 1 : 0,
    note: `lowest of the last quarters: ${before.toFixed(0)}, ${after.toFixed(0)} MiB`,
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
  await createLookups(world.visitors, seed).warmUp();
  const { next, books } = createLookups(world.visitors, seed);
  const over = new AbortController();
  const watching = watch(world, (seconds * 1_000) / SAMPLES, over.signal);
  // Whatever goes wrong there shows when its result is read.
  watching.catch(() => {});
  const count = await keepPace(perSecond, seconds, next);
  over.abort();
  const { rssMiB, invalid } = await watching;
  const { requests } = await world.sandbox.stats();
  const { form, replays, verdicts, explained, unexplained, tookMs } = books;
  const expected = requests * CHAOS;
  const mostExplained = Math.ceil(expected + 4 * Math.sqrt(expected));
  return [
    { name: `lookups for ${seconds} s`, note: verdicts.describe(), ...form.result(), count },
    {
      name: 'errors that chaos does not explain',
      count: explained.total() + unexplained.total(),
      broken: unexplained.total() + Math.max(0, explained.total() - mostExplained),
      note: unexplained.describe() || `chaos met about ${Math.round(expected)} of ${requests} requests`,
    },
    { name: 'in the cache', count: 0, broken: 0, note: describeLatency(tookMs.popular) },
    { name: 'from the platform', count: 0, broken: 0, note: describeLatency(tookMs.others) },
    memoryLine(rssMiB, minutes),
    { name: 'uses of a spent proof', ...replays.result() },
    {
      name: `invalid requests, ${MAX_INVALID} at most`,
      count: invalid,
      broken: invalid <= MAX_INVALID ? 0 : 1,
    },
  ];
};
