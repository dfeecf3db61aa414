import { createSecret } from '#server/platform/bot-token.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import { createTokenPool } from '#server/pool/token-pool.ts';
import { createTokenRoster } from '#server/pool/roster/token-roster.ts';
import { realSystem, type Clock } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFakePlatform } from '#test/support/fake-platform.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { ownCpuMicros } from './cpu.ts';
import { interleave, median, samplesOf, spread, warmUp, type Contender, type Samples } from './rounds.ts';

const SIZES = [10, 1_000, 100_000];
const AIM_MICROS = 1;
/** "Flat": a hundred thousand tokens may cost this many times what ten cost. */
const AIM_GROWTH = 5;
const LIMIT = 30;
const SLOT_MS = 1_000;
const LEASES_PER_ROUND = 200_000;
/** No bound on egress: this measures the choice of a token, not the pace. */
const EGRESS_PER_SECOND = 1_000_000;

type Answer = PlatformAnswer<never>;

const answered = (used: number): Answer => ({
  kind: 'not-found',
  reading: { limit: LIMIT, remaining: LIMIT - used, resetAfterMs: used * SLOT_MS, bucket: null },
});

/**
 * The two extremes a token lives in. Idle: its bucket is empty of use, it waits in the ring. Drained: all its slots
 * but the reserve are used, it waits in the heap for the next one. Either is kept up by answers that never change.
 */
const STATES = {
  idle: { second: answered(2), steady: answered(1), pace: 1.2 },
  drained: { second: answered(LIMIT - 1), steady: answered(LIMIT - 1), pace: 1.000_01 },
} as const;
type State = keyof typeof STATES;

/** Moves on only when told to. */
type SteppedClock = Clock & { readonly step: (ms: number) => void };

const createSteppedClock = (): SteppedClock => {
  let nowMs = 0;
  return {
    wallMs: () => nowMs,
    monotonicMs: () => nowMs,
    after: () => () => {},
    step: (ms) => {
      nowMs += ms;
    },
  };
};

const tokensOf = (size: number) =>
  Array.from({ length: size }, (_, n) => ({ botId: String(n), secret: createSecret(`token ${n}`) }));

/** Leases once and is given `answer`; true if a token was free. */
type LeaseOnce = (answer: Answer) => boolean | Promise<boolean>;

const leaseFromRoster = (size: number, clock: Clock): LeaseOnce => {
  const roster = createTokenRoster();
  for (const token of tokensOf(size)) roster.add(token, clock.monotonicMs());
  return (answer) => {
    const nowMs = clock.monotonicMs();
    const entry = roster.take(nowMs);
    if (entry !== undefined) roster.settle(entry, answer, { sentMs: nowMs, receivedMs: nowMs });
    return entry !== undefined;
  };
};

const leaseFromPool = (size: number, clock: Clock): LeaseOnce => {
  let next: Answer = answered(1);
  const platform = createFakePlatform({
    system: { clock, random: realSystem.random },
    client: { getUser: async () => next },
    perSecond: EGRESS_PER_SECOND,
  });
  const pool = createTokenPool({ clock, platform, maxWaiting: 0 });
  for (const token of tokensOf(size)) pool.add(token);
  return async (answer) => {
    next = answer;
    const lease = await pool.lease();
    await lease.getUser('1' as Snowflake, Infinity);
    return true;
  };
};

const LEASING = {
  'roster take + settle': leaseFromRoster,
  'pool.lease() + getUser()': leaseFromPool,
} as const;
type Layer = keyof typeof LEASING;

type Series = (leases: number) => Promise<number>;

/** Brings every token into the state; what it returns runs that many leases and tells the microseconds of one. */
const enterState = async (layer: Layer, state: State, size: number): Promise<Series> => {
  const clock = createSteppedClock();
  const leaseOnce = LEASING[layer](size, clock);
  const { second, steady, pace } = STATES[state];
  const stepMs = (SLOT_MS / size) * pace;
  const run = async (leases: number, answer: Answer): Promise<void> => {
    for (let lease = 0; lease < leases; lease += 1) {
      clock.step(stepMs);
      const taken = leaseOnce(answer);
      if (!(taken instanceof Promise ? await taken : taken)) throw new Error('No token was free.');
    }
  };
  await run(size, answered(1));
  await run(size, second);
  if (state === 'idle') clock.step(LIMIT * SLOT_MS);
  return async (leases) => {
    const startMicros = ownCpuMicros();
    await run(leases, steady);
    return (ownCpuMicros() - startMicros) / leases;
  };
};

const measure = async (layer: Layer, state: State, quick: boolean): Promise<Figure[]> => {
  const rounds = quick ? 3 : 9;
  const leases = quick ? LEASES_PER_ROUND / 10 : LEASES_PER_ROUND;
  const contenders: Contender[] = [];
  for (const size of SIZES) {
    const series = await enterState(layer, state, size);
    contenders.push({ name: String(size), round: () => series(leases) });
  }
  await warmUp(contenders);
  const samples = await interleave(contenders, rounds);
  const smallest = median(samplesOf(samples, String(SIZES[0])));
  const line = (size: number, micros: Samples): Figure => {
    const cost = median(micros);
    return {
      what: `${layer}, ${state}, ${size.toLocaleString('en')} tokens`,
      value: `${cost.toFixed(2)} µs (×${(cost / smallest).toFixed(1)})`,
      spread: spread(micros, 2),
      rounds,
      aim: `< ${AIM_MICROS} µs, ≤ ×${AIM_GROWTH}`,
      met: cost < AIM_MICROS && cost <= smallest * AIM_GROWTH,
    };
  };
  return SIZES.map((size) => line(size, samplesOf(samples, String(size))));
};

export const leaseCost: Benchmark = {
  name: 'lease',
  run: async ({ quick }) => {
    const figures: Figure[] = [];
    for (const layer of Object.keys(LEASING) as Layer[]) {
      for (const state of Object.keys(STATES) as State[])
        figures.push(...(await measure(layer, state, quick)));
    }
    return {
      title: 'Leasing a token and reporting its answer',
      method: [
        'CPU time of one process; the platform answers at once, a stepped clock frees tokens just in time; sizes in turn.',
        'Idle: tokens wait in the ring. Drained: every token has used its slots and waits in the heap for the next one.',
        `The pool's figure includes the pass and the call, with all their promises; ×: against ${SIZES[0]} tokens.`,
      ],
      figures,
    };
  },
};
