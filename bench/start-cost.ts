import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SERVER_ARGS } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChildServer, temporaryFolder, type ChildServer } from './child-server.ts';
import { interleave, median, samplesOf, spread, type Samples } from './rounds.ts';

type Way = 'sandbox' | 'discord' | 'npm' | 'bare';

const BARE = fileURLToPath(import.meta.resolve('./bare-server.ts'));
const IDLE_MS = 10_000;
const NAMES: Readonly<Record<Way, string>> = {
  sandbox: 'bin/whoflake, sandbox',
  discord: 'bin/whoflake, PLATFORM=discord',
  npm: 'npm start, sandbox',
  bare: 'a bare node:http server',
};
const AIM_START_MS: Partial<Record<Way, number>> = { sandbox: 450, discord: 350, npm: 1_000 };
const AIM_RESIDENT_MB: Partial<Record<Way, number>> = { sandbox: 110, discord: 95 };
const REAL_SITE = {
  PLATFORM: 'discord',
  PUBLIC_URL: 'https://whoflake.example',
  CONTACT_EMAIL: 'operator@whoflake.example',
  PAYMENT_URL: 'https://whoflake.example/pay',
};

/** Of a process that has nothing to do, in millions of bytes. */
const residentMb = (pid: number): number =>
  (Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024) / 1e6;

const start = async (way: Way, folder: string): Promise<ChildServer> => {
  const port = await freePort();
  if (way === 'bare') return startChildServer({ args: [BARE, '--port', String(port)], port });
  const env = {
    PORT: String(port),
    ADMIN_PORT: '0',
    SANDBOX_PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    ...(way === 'discord' && REAL_SITE),
  };
  const { npm_execpath: npm } = process.env;
  return way === 'npm' && npm !== undefined
    ? startChildServer({ args: [npm, 'start'], group: true, env, port })
    : startChildServer({ args: SERVER_ARGS, env, port });
};

const figure = (what: string, samples: Samples, unit: string, aim: number | undefined): Figure => ({
  what,
  value: `${median(samples).toFixed(0)} ${unit}`,
  spread: spread(samples, 0),
  rounds: samples.length,
  aim: aim === undefined ? '' : `≤ ${aim} ${unit}`,
  met: aim === undefined ? null : median(samples) <= aim,
});

export const startCost: Benchmark = {
  name: 'start',
  run: async ({ quick }) => {
    // Known where npm itself runs the benchmark.
    const ways: Way[] = ['sandbox', 'discord', 'bare'];
    if (process.env['npm_execpath'] !== undefined) ways.push('npm');
    await using parts = new AsyncDisposableStack();
    const folders = new Map(ways.map((way) => [way, parts.use(temporaryFolder()).path]));
    const resident = new Map<Way, number[]>(ways.map((way) => [way, []]));
    const round = (way: Way, idleMs: number) => async (): Promise<number> => {
      await using server = await start(way, folders.get(way) ?? '');
      await delay(idleMs);
      if (idleMs > 0) resident.get(way)?.push(residentMb(server.pid));
      return server.startMs;
    };
    // The first start makes the database and compiles.
    for (const way of ways) await round(way, 0)();
    const starts = await interleave(
      ways.map((way) => ({ name: way, round: round(way, 0) })),
      quick ? 3 : 9,
    );
    await interleave(
      ways.filter((way) => way !== 'npm').map((way) => ({ name: way, round: round(way, IDLE_MS) })),
      quick ? 1 : 3,
    );
    return {
      title: 'Start and memory',
      method: [
        'From the command to the first 200 of /healthz; data folder and compiled code are there from an earlier start; the ways in turn.',
        'Resident memory ten seconds after the start, without a visitor.',
      ],
      figures: [
        ...ways.map((way) => figure(`start: ${NAMES[way]}`, samplesOf(starts, way), 'ms', AIM_START_MS[way])),
        ...ways.flatMap((way) => {
          const samples = resident.get(way) ?? [];
          return samples.length > 0
            ? [figure(`resident: ${NAMES[way]}`, samples, 'MB', AIM_RESIDENT_MB[way])]
            : [];
        }),
      ],
    };
  },
};
