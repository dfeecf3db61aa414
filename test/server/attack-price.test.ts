import { describe, expect, it } from 'vitest';
import { simulateAttack, type Attack } from '#test/attacks/attack-simulation.ts';

const PROMISED_MS = 5_000;

const inTime = async (attack: Attack): Promise<number> => {
  const tookMs = await simulateAttack({ ...attack, seed: 1, seconds: 10, goodPerSecond: 10 });
  expect(tookMs.length).toBeGreaterThan(80);
  return tookMs.filter((ms) => ms <= PROMISED_MS).length / tookMs.length;
};

describe(
  'good visitors beside 100 hostile proofs a second, twice what the tokens can do',
  { tags: 'slow' },
  () => {
    it.each<[string, Attack]>([
      ['from 30 networks', { proofsPerSecond: 100, networks: 30 }],
      ['from as many networks as there are proofs', { proofsPerSecond: 100, networks: 10_000 }],
      ['collected before proofs get harder', { proofsPerSecond: 30, networks: 10_000, hoardSeconds: 60 }],
    ])('%s are answered in time', async (_, attack) => {
      expect(await inTime(attack)).toBeGreaterThanOrEqual(0.95);
    });
  },
);
