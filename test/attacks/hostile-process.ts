import { setTimeout as pause } from 'node:timers/promises';
import { fuzzRequests } from './request-fuzzer.ts';
import { createTally, type FuzzResult } from './tally.ts';
import { SERVER_ARGS, startAppProcess, type AppProcess } from '#test/support/app-process.ts';
import { ROOMY } from '../suites/world.ts';

/** What `{}` has that it should not, and the heap without garbage. */
type ProcessState = { readonly heapUsed: number; readonly pollution: readonly string[] };

/** Looks at the server's process from inside. */
const PROBE = `const known = Reflect.ownKeys(Object.prototype);
process.on('SIGUSR2', () => {
  gc();
  const pollution = Reflect.ownKeys(Object.prototype).filter((key) => !known.includes(key)).map(String);
  process.stdout.write('probe ' + JSON.stringify({ heapUsed: process.memoryUsage().heapUsed, pollution }) + '\\n');
});`;
const NODE_ARGS = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(PROBE)}`];
const WARM_UP = 2_000;
const COUNT = 20_000;
const MAX_GROWTH_MIB = 16;

const statesOf = (server: AppProcess): string[] =>
  [...server.output().matchAll(/^probe (.+)$/gm)].map(([, json = '']) => json);

const probe = async (server: AppProcess): Promise<ProcessState> => {
  const before = statesOf(server).length;
  const life = { isOver: false };
  void server.ended.then(() => (life.isOver = true));
  server.signal('SIGUSR2');
  while (!life.isOver) {
    const state = statesOf(server)[before];
    if (state !== undefined) return JSON.parse(state) as ProcessState;
    await pause(20);
  }
  throw new Error(`The process ended: ${server.output().slice(-500)}`);
};

/** Against a process of its own, which must stay alive, unpolluted and no larger than it was. */
export const sendHostileRequests = async (seed: number): Promise<FuzzResult> => {
  const env = { ...ROOMY, LOG_LEVEL: 'warn', POW_MAX_NUMBER: '1000' };
  await using server = startAppProcess(env, {
    program: process.execPath,
    args: [...NODE_ARGS, ...SERVER_ARGS],
  });
  const port = Number(new URL(await server.origin).port);
  await fuzzRequests({ port, seed: seed + 1, count: WARM_UP });
  const before = await probe(server);
  const fuzz = await fuzzRequests({ port, seed, count: COUNT });
  const after = await probe(server);
  const grownMiB = (after.heapUsed - before.heapUsed) / 2 ** 20;

  const tally = createTally();
  tally.check(fuzz.broken === 0, () => fuzz.note ?? '');
  tally.check(after.pollution.length === 0, () => `every object now has ${after.pollution.join()}`);
  tally.check(grownMiB < MAX_GROWTH_MIB, () => `the heap grew by ${grownMiB.toFixed(1)} MiB`);
  tally.check(!server.output().includes('request-failed'), () => server.output().slice(-500));
  const { broken, note = `the heap grew by ${grownMiB.toFixed(1)} MiB` } = tally.result();
  return { count: fuzz.count, broken: Math.max(fuzz.broken, broken), note };
};
