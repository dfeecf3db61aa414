import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SERVER_ARGS } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { residentBytes } from '#test/suites/process-figures.ts';
import { atMost, interleave, type Benchmark, type Figure, type Samples } from './benchmark.ts';
import { startBare, startServer, type Server } from './server.ts';

const ROOT = fileURLToPath(import.meta.resolve('..'));
const IDLE_MS = 10_000;
const REAL_SITE = {
  PLATFORM: 'discord',
  PUBLIC_URL: 'https://whoflake.example',
  CONTACT_EMAIL: 'operator@whoflake.example',
  PAYMENT_URL: 'https://whoflake.example/pay',
};
const WAYS: Readonly<Record<string, { readonly startMs?: number; readonly residentMb?: number }>> = {
  'bin/whoflake, sandbox': { startMs: 450, residentMb: 110 },
  'bin/whoflake, PLATFORM=discord': { startMs: 350, residentMb: 95 },
  'npm start, sandbox': { startMs: 1_000 },
  'a bare node:http server': {},
};

const start = async (way: string, dir: string): Promise<Server> => {
  if (way.startsWith('a bare')) return startBare();
  const port = await freePort();
  const env = { DATA_DIR: `${dir}/data`, XDG_CACHE_HOME: dir, ...(way.endsWith('discord') && REAL_SITE) };
  const { npm_execpath: npm = '' } = process.env;
  const args = way.startsWith('npm') ? [npm, '--prefix', ROOT, 'start'] : SERVER_ARGS;
  return startServer({ args, port, env });
};

export const startCost: Benchmark = {
  name: 'start',
  title: 'Start and memory',
  run: async ({ quick }) => {
    // Where npm is, is known if npm itself runs the benchmark.
    const ways = Object.keys(WAYS).filter(
      (way) => !way.startsWith('npm') || process.env['npm_execpath'] !== undefined,
    );
    using folders = new DisposableStack();
    const folderOf = new Map(ways.map((way) => [way, folders.use(temporaryFolder()).path]));
    const startMs = async (way: string): Promise<number> => {
      await using server = await start(way, folderOf.get(way) ?? '');
      return server.startMs;
    };
    const residentMb = async (way: string): Promise<number> => {
      await using server = await start(way, folderOf.get(way) ?? '');
      await delay(IDLE_MS);
      return residentBytes(server.pid) / 1e6;
    };
    const each = (names: readonly string[], measure: (way: string) => Promise<number>) =>
      Object.fromEntries(names.map((way) => [way, () => measure(way)]));
    const starts = await interleave(quick ? 3 : 9, each(ways, startMs));
    // That of npm is not the server's.
    const servers = ways.filter((way) => !way.startsWith('npm'));
    const resident = await interleave(quick ? 1 : 3, each(servers, residentMb));
    const figure = (what: string, samples: Samples = [], unit: string, aim?: number): Figure => ({
      what,
      samples,
      unit,
      aim: aim === undefined ? aim : atMost(aim),
    });
    return {
      method: [
        'From the command to the first answer; data folder and compiled code are there from an earlier start; the ways in turn.',
        'Resident memory ten seconds after the start, without a visitor.',
      ],
      figures: [
        ...ways.map((way) => figure(`start: ${way}`, starts[way], 'ms', WAYS[way]?.startMs)),
        ...servers.map((way) => figure(`resident: ${way}`, resident[way], 'MB', WAYS[way]?.residentMb)),
      ],
    };
  },
};
