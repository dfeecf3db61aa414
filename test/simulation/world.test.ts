// @module-tag slow
import { expect, it } from 'vitest';
import { usePostgres } from '#test/support/databases.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { playSeeds } from './seeds.ts';
import type { Told } from './world.ts';

const SEEDS = Array.from({ length: 50 }, (_, n) => n + 1);

const postgres = usePostgres();
const play = async (seeds: readonly number[]): Promise<readonly Told[]> => {
  const { newDatabase } = await postgres();
  const told: Told[] = [];
  await playSeeds(seeds, newDatabase, (one) => told.push(one));
  return told;
};

it.skipIf(POSTGRES_MISSING !== null)(
  'in fifty worlds, each with its own troubles, no promise is broken, and each tells the same story again',
  // It only ends what hangs: fifty worlds take longer than other tests.
  { timeout: 600_000 },
  async () => {
    const told = await play(SEEDS);
    expect(told.filter(({ broken }) => broken.length > 0).map(({ seed, broken }) => [seed, broken])).toEqual(
      [],
    );
    const [first] = told;
    const [again] = await play([first?.seed ?? 0]);
    expect(again?.digest).toBe(first?.digest);
  },
);
