import { fuzzRequests } from '#test/fuzz/request-fuzzer.ts';
import { createTally, type FuzzResult } from '#test/fuzz/tally.ts';
import { startServerProcess } from '../server-process.ts';

const WARM_UP = 2_000;
const COUNT = 20_000;
const MAX_GROWTH_MIB = 16;

/** Against a process of its own, which must stay alive, unpolluted and no larger than it was. */
export const sendHostileRequests = async (seed: number): Promise<FuzzResult> => {
  await using server = await startServerProcess();
  const { port } = server;
  await fuzzRequests({ port, seed: seed + 1, count: WARM_UP });
  const before = await server.state();
  const fuzz = await fuzzRequests({ port, seed, count: COUNT });
  const after = await server.state();
  const grownMiB = (after.heapUsed - before.heapUsed) / 2 ** 20;

  const tally = createTally();
  tally.check(fuzz.broken === 0, () => fuzz.note ?? '');
  tally.check(server.isAlive(), () => 'the process ended');
  tally.check(after.pollution.length === 0, () => `every object now has ${after.pollution.join()}`);
  tally.check(grownMiB < MAX_GROWTH_MIB, () => `the heap grew by ${grownMiB.toFixed(1)} MiB`);
  tally.check(!server.output().includes('request-failed'), () => server.output().slice(-500));
  const { broken, note = `the heap grew by ${grownMiB.toFixed(1)} MiB` } = tally.result();
  return { count: fuzz.count, broken: Math.max(fuzz.broken, broken), note };
};
