import { createSecret } from '#server/platform/bot-token.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { atMost, interleave, type Benchmark, type Figure } from './benchmark.ts';

const SIZES = [100, 1_000, 10_000] as const;
/** Of the fifty a second that may be sent, a fortieth of a core. */
const AIM_MICROS = 500;
const LIMIT = 30;
const SLOT_MS = 1_000;
const LEASES_PER_ROUND = 200_000;

type Answer = PlatformAnswer<never>;

const answered = (used: number): Answer => ({
  kind: 'not-found',
  reading: { limit: LIMIT, remaining: LIMIT - used, resetAfterMs: used * SLOT_MS, bucket: null },
});

/**
 * The two extremes a token lives in. Idle: none of its slots is used. Drained: all but the reserve are used, and it waits
 * for the next one. Either is kept up by answers that never change.
 */
const STATES = {
  idle: { second: answered(2), steady: answered(1), pace: 1.2 },
  drained: { second: answered(LIMIT - 1), steady: answered(LIMIT - 1), pace: 1.000_01 },
} as const;
type State = keyof typeof STATES;

/** Brings every token into the state. Returns a function that runs that many leases and resolves to the microseconds of one. */
const enterState = async (state: State, size: number) => {
  const system = createFakeSystem();
  let next = answered(1);
  const { pool } = createTestPool({ system, client: { getUser: async () => next } });
  for (let n = 0; n < size; n += 1) pool.add({ botId: String(n), secret: createSecret(`token ${n}`) });
  const { second, steady, pace } = STATES[state];
  const stepMs = (SLOT_MS / size) * pace;
  const run = async (leases: number, answer: Answer): Promise<void> => {
    next = answer;
    for (let n = 0; n < leases; n += 1) {
      system.stall(stepMs);
      const lease = await pool.lease();
      await lease.getUser('1' as Snowflake, Infinity);
    }
  };
  await run(size, answered(1));
  await run(size, second);
  if (state === 'idle') system.stall(LIMIT * SLOT_MS);
  return async (leases: number): Promise<number> => {
    const before = process.cpuUsage();
    await run(leases, steady);
    const spent = process.cpuUsage(before);
    return (spent.user + spent.system) / leases;
  };
};

const measure = async (state: State, quick: boolean): Promise<Figure[]> => {
  const leases = quick ? LEASES_PER_ROUND / 10 : LEASES_PER_ROUND;
  const contenders: Record<string, () => Promise<number>> = {};
  for (const size of SIZES) {
    const series = await enterState(state, size);
    contenders[size] = () => series(leases);
  }
  const samples = await interleave(quick ? 3 : 9, contenders);
  return SIZES.map((size) => ({
    what: `${state}, ${size.toLocaleString('en')} tokens`,
    samples: samples[size] ?? [],
    unit: 'µs',
    digits: 2,
    aim: atMost(AIM_MICROS),
  }));
};

export const leaseCost: Benchmark = {
  name: 'lease',
  title: 'Leasing a token and reporting its answer',
  run: async ({ quick }) => {
    const figures: Figure[] = [];
    for (const state of Object.keys(STATES) as State[]) figures.push(...(await measure(state, quick)));
    return {
      method: [
        'CPU time of one process; the platform answers at once, a clock that is moved by hand frees tokens just in time; sizes in turn.',
        'Idle: every token is free. Drained: every token has used its slots and waits for the next one.',
        'It includes the permit and the call, with all their promises.',
      ],
      figures,
    };
  },
};
