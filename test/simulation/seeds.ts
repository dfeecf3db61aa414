import { availableParallelism } from 'node:os';
import { openEngine } from './engine.ts';
import { playSeed, type Told } from './world.ts';

/** While one waits for PostgreSQL, another goes on. */
const LANES = 2 * availableParallelism();

/** Each lane plays its seeds in a database of its own, one after the other. */
export const playSeeds = async (
  seeds: readonly number[],
  newDatabase: () => Promise<string>,
  report: (told: Told) => void,
): Promise<void> => {
  const rest = seeds.values();
  const lane = async (): Promise<void> => {
    const engine = await openEngine(await newDatabase());
    for (const seed of rest) report(await playSeed(engine, seed));
    await engine.close();
  };
  await Promise.all(Array.from({ length: Math.min(LANES, seeds.length) }, lane));
};
