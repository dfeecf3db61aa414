import { startAppProcess } from '#test/support/app-process.ts';
import { residentBytes } from '../suites/process-figures.ts';
import { ROOMY } from '../suites/world.ts';
import { fuzzRequests } from './request-fuzzer.ts';
import { createTally, type FuzzResult } from './tally.ts';

const WARM_UP = 2_000;
const COUNT = 20_000;
/** Of all its memory, garbage that is still to be collected included. */
const MAX_GROWTH_MIB = 64;

/** Against a process of its own, which must stay alive, log no failure and hardly grow. */
export const sendHostileRequests = async (seed: number): Promise<FuzzResult> => {
  await using server = startAppProcess({ ...ROOMY, LOG_LEVEL: 'warn', POW_MAX_NUMBER: '1000' });
  const port = Number(new URL(await server.origin).port);
  await fuzzRequests({ port, seed: seed + 1, count: WARM_UP });
  const before = residentBytes(server.pid);
  const fuzz = await fuzzRequests({ port, seed, count: COUNT });
  const grownMiB = (residentBytes(server.pid) - before) / 2 ** 20;
  const tally = createTally();
  tally.check(fuzz.broken === 0, () => fuzz.note ?? '');
  tally.check(grownMiB < MAX_GROWTH_MIB, () => `grew by ${grownMiB.toFixed(1)} MiB`);
  tally.check(!server.output().includes('request-failed'), () => server.output().slice(-500));
  const { broken, note = `grew by ${grownMiB.toFixed(1)} MiB` } = tally.result();
  return { count: fuzz.count, broken: Math.max(fuzz.broken, broken), note };
};
