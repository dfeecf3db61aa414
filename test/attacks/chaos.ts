import { distinctIds } from '#test/support/many-lookups.ts';
import { residentBytes } from '../suites/process-figures.ts';
import { startWorld } from '../suites/world.ts';
import { createDice } from './dice.ts';
import { createTally, type FuzzResult } from './tally.ts';

const LANES = 16;
const WARM_UP = 1_000;
const POPULAR = distinctIds(500);
const MAX_GROWTH_MIB = 64;
/** What faults of the platform lead to, beside answers. */
const EXPLAINED = /^(?:platform-(?:failed|timeout|paused)|pool-busy|none)$/;

/** Lookups while one in twenty answers of the platform is a fault; some of the proofs come again. */
export const lookUpThroughChaos = async (seed: number, count: number): Promise<FuzzResult> => {
  await using world = await startWorld({ chaos: 0.05, tokens: 500 });
  const dice = createDice(seed);
  const tally = createTally();
  const lookUp = async (n: number): Promise<void> => {
    const discord_id = dice.chance(0.7) ? dice.pick(POPULAR) : (distinctIds(1, n + POPULAR.length)[0] ?? '');
    const { proof, code = 'none', status } = await world.visitors.next().ask('/lookup', { discord_id });
    tally.check(EXPLAINED.test(code), () => `${status} ${code}`);
    if (proof === undefined || !dice.chance(0.02)) return;
    const again = await world.visitors.next().send('/lookup', { discord_id, proof });
    tally.check(again.code === 'proof-used', () => `a spent proof: ${again.status} ${again.code}`);
  };
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  let warmBytes = Infinity;
  const runLane = async (): Promise<void> => {
    for (const n of numbers) {
      if (n === WARM_UP) warmBytes = residentBytes(world.server.pid);
      await lookUp(n);
    }
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  const growth = `grew by ${((residentBytes(world.server.pid) - warmBytes) / 2 ** 20).toFixed(0)} MiB`;
  tally.check(residentBytes(world.server.pid) - warmBytes < MAX_GROWTH_MIB * 2 ** 20, () => growth);
  return { note: growth, ...tally.result() };
};
