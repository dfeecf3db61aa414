import type { LimitMode } from '#sandbox/api/rate-limits.ts';
import { createDiscordClient } from '#server/platform/discord-client.ts';
import { parseBotToken } from '#server/platform/bot-token.ts';
import { createMemoryPool } from '#test/support/memory-pool.ts';
import { realSystem } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFakePlatform } from '#test/support/fake-platform.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { simulatePool } from '#test/support/pool-simulation.ts';
import { startSandboxProcess } from '#test/support/sandbox-process.ts';
import { atLeast, atMost, type Benchmark, type Figure } from './benchmark.ts';

const AIM_PERCENT = 99;
/** As on the platform. */
const LIMIT = 30;
const PERIOD_MS = 30_000;
const MODES = ['sliding', 'fixed'] as const;
/** Over HTTP time passes as it does, so the period is shorter. */
const HTTP_PERIOD_MS = 3_000;
const HTTP_TOKENS = 10;
/** More than the tokens can serve at any latency of loopback. */
const CONCURRENT_LOOKUPS = 500;
/** One way, in simulated time, drawn for each, so that requests overtake each other. */
const delayMs = (draw: number): number => 5 + 35 * draw;

type Outcome = { readonly answered: number; readonly rateLimited: number; readonly capacity: number };

const figuresOf = (what: string, { answered, rateLimited, capacity }: Outcome): Figure[] => [
  { what, samples: [(answered / capacity) * 100], unit: '%', digits: 2, aim: atLeast(AIM_PERCENT) },
  { what: `  429s among ${answered.toLocaleString('en')} answers`, samples: [rateLimited], aim: atMost(0) },
];

/** In real time over loopback, the sandbox in a process of its own. */
const runOverHttp = async (mode: LimitMode, periods: number): Promise<Outcome> => {
  const flags = ['--mode', mode, '--limit', LIMIT, '--period-ms', HTTP_PERIOD_MS].map(String);
  await using sandbox = await startSandboxProcess(flags);
  const { clock } = realSystem;
  const { apiUrl } = sandbox;
  const client = createDiscordClient({ clock, apiUrl, publicUrl: 'http://localhost' });
  const platform = createFakePlatform({ system: realSystem, client });
  const pool = createMemoryPool({ clock, platform, maxWaiting: Infinity, maxWaitMs: Infinity });
  for (const text of await sandbox.mintTokens(HTTP_TOKENS, 0)) {
    const parsed = parseBotToken(text);
    if (parsed.ok) pool.add(parsed.token);
  }
  const over = AbortSignal.timeout(periods * HTTP_PERIOD_MS);
  const left = new AbortController();
  over.addEventListener('abort', () => left.abort());
  let asked = 0;
  let answered = 0;
  const runLane = async (): Promise<void> => {
    while (!over.aborted) {
      const lease = await pool.lease(undefined, left.signal);
      await lease.getUser(distinctIds(1, (asked += 1))[0] as Snowflake, Infinity);
      if (!over.aborted) answered += 1;
    }
  };
  await Promise.allSettled(Array.from({ length: CONCURRENT_LOOKUPS }, runLane));
  const { rateLimited } = await sandbox.stats();
  await client.close();
  // At most: fixed, each period once; sliding, a full bucket at the start, and as much again in each period.
  const fills = mode === 'fixed' ? periods : periods + 1;
  return { answered, rateLimited, capacity: HTTP_TOKENS * LIMIT * fills };
};

export const poolCapacity: Benchmark = {
  name: 'capacity',
  title: 'Answers of a saturated pool, as a share of what its tokens could do at most',
  run: async ({ quick }) => {
    const periods = quick ? 4 : 16;
    const seconds = ((quick ? 2 : 8) * PERIOD_MS) / 1_000;
    const figures: Figure[] = [];
    for (const mode of MODES)
      figures.push(
        ...figuresOf(`${HTTP_TOKENS} tokens, ${mode}, over HTTP`, await runOverHttp(mode, periods)),
      );
    for (const tokens of [10, 200])
      for (const mode of MODES) {
        const limits = { limit: LIMIT, periodMs: PERIOD_MS, mode, globalPerSecond: 50 };
        const outcome = await simulatePool({ tokens, seconds, limits, seed: 1, delayMs });
        figures.push(...figuresOf(`${tokens} tokens, ${mode}, simulated`, outcome));
      }
    return {
      method: [
        `HTTP: real time, the sandbox in a process of its own, its period scaled from 30 s to 3 s, ${periods} periods.`,
        `Simulated: the sandbox's rate limits in process, unscaled, ${seconds} s on a clock that jumps from timer to timer;`,
        "  every request and answer 5–40 ms under way. The machine's speed plays no part.",
        'At most: sliding, tokens × 30 × (periods + 1); fixed, tokens × 30 × periods. 429s as the platform counted them.',
      ],
      figures,
    };
  },
};
