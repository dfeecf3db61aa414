import { percentile } from '../suites/load/figures.ts';
import type { Part } from '../suites/suite.ts';
import { coresFor, simulateAttack, type Attack } from './attack-simulation.ts';

const PROMISED_MS = 5_000;
const PROMISED_SHARE = 0.95;
type Case = Attack & { readonly isTooStrong?: boolean };
const CASES: readonly Case[] = [
  { proofsPerSecond: 216, networks: 30 },
  { proofsPerSecond: 216, networks: 10_000 },
  { proofsPerSecond: 864, networks: 60_000 },
  { proofsPerSecond: 216, networks: 10_000, blocks: 10 },
  { proofsPerSecond: 54, networks: 10_000, hoardSeconds: 240 },
  // More than we promise to withstand; shown for information.
  { proofsPerSecond: 216, networks: 10_000, blocks: 40, isTooStrong: true },
  { proofsPerSecond: 216, networks: 10_000, blocks: 10_000, isTooStrong: true },
];

const describe = (ms: number): string => (ms === Infinity ? 'refused' : `${(ms / 1_000).toFixed(1)} s`);

/** What an attacker pays: 95 of 100 good visitors are answered within 5 s, solving included. */
export const attackPrices = CASES.map(
  ({ isTooStrong = false, ...attack }): Part<{ readonly seed: number }> => {
    const { proofsPerSecond, networks, blocks = 1, hoardSeconds = 0 } = attack;
    const cores = coresFor(proofsPerSecond).toFixed(1);
    const collected = hoardSeconds === 0 ? '' : `, collected for ${hoardSeconds} s`;
    return {
      name: `visitors beside ${proofsPerSecond} hostile proofs a second (${cores} cores) from ${networks} networks in ${blocks} /32s${collected}`,
      run: async ({ seed }) => {
        const tookMs = await simulateAttack({ ...attack, seed, seconds: 60, goodPerSecond: 10 });
        const late = tookMs.filter((ms) => ms > PROMISED_MS).length;
        const isKept = isTooStrong || late <= tookMs.length * (1 - PROMISED_SHARE);
        const [p50 = '', p95 = ''] = [0.5, 0.95].map((share) => describe(percentile(tookMs, share)));
        const inTime = Math.floor(100 * (1 - late / tookMs.length));
        const note = `p50 ${p50}, p95 ${p95}, ${inTime} % in time`;
        return { count: tookMs.length, broken: isKept ? 0 : late, note };
      },
    };
  },
);
