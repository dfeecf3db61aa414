import { expect, it } from 'vitest';
import { simulateAttack, type Attack } from '#test/attacks/attack-simulation.ts';

const PROMISED_MS = 5_000;
const TWO_CORES = 216;

it.each<[string, Attack]>([
  ['from 30 networks', { proofsPerSecond: TWO_CORES, networks: 30 }],
  [
    'from one /32 with as many networks as there are proofs',
    { proofsPerSecond: TWO_CORES, networks: 10_000 },
  ],
  ['collected before proofs get harder', { proofsPerSecond: 54, networks: 10_000, hoardSeconds: 60 }],
])('good visitors beside hostile proofs %s are answered in time', { tags: 'slow' }, async (_, attack) => {
  const tookMs = await simulateAttack({ ...attack, seed: 1, seconds: 10, goodPerSecond: 10 });
  expect(tookMs.length).toBeGreaterThan(80);
  const inTime = tookMs.filter((ms) => ms <= PROMISED_MS).length;
  expect(inTime / tookMs.length).toBeGreaterThanOrEqual(0.95);
});
