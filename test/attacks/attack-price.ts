import { coresFor, simulateAttack, type Attack } from './attack-simulation.ts';
import type { FuzzResult } from './tally.ts';
import { percentile } from '../suites/load/figures.ts';
import type { Part } from '../suites/suite.ts';

const PROMISED_MS = 5_000;
const PROMISED_SHARE = 0.95;
const CASES: readonly Attack[] = [
  { proofsPerSecond: 25, networks: 30 },
  { proofsPerSecond: 45, networks: 30 },
  { proofsPerSecond: 60, networks: 30 },
  { proofsPerSecond: 100, networks: 30 },
  { proofsPerSecond: 400, networks: 300 },
  { proofsPerSecond: 100, networks: 10_000 },
  { proofsPerSecond: 30, networks: 10_000, hoardSeconds: 240 },
];
/** Stronger than what we promise to withstand; shown for information. */
const TOO_STRONG: readonly Attack[] = [
  { proofsPerSecond: 200, networks: 10_000 },
  { proofsPerSecond: 400, networks: 10_000 },
];

const nameOf = ({ proofsPerSecond, networks, hoardSeconds = 0 }: Attack): string => {
  const collected = hoardSeconds === 0 ? '' : `, collected for ${hoardSeconds} s`;
  const cores = coresFor(proofsPerSecond).toFixed(1);
  return `visitors beside ${proofsPerSecond} hostile proofs a second (${cores} cores) from ${networks} networks${collected}`;
};

const lateOf = (tookMs: readonly number[]): number => tookMs.filter((ms) => ms > PROMISED_MS).length;

const describe = (tookMs: readonly number[]): string => {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const [p50, p95] = [0.5, 0.95].map((share) => {
    const ms = percentile(sorted, share);
    return ms === Infinity ? 'refused' : `${(ms / 1_000).toFixed(1)} s`;
  });
  const inTime = Math.floor(100 * (1 - lateOf(tookMs) / tookMs.length));
  return `p50 ${p50}, p95 ${p95}, ${inTime} % in time`;
};

const withstand = async (attack: Attack, seed: number): Promise<FuzzResult> => {
  const tookMs = await simulateAttack({ ...attack, seed, seconds: 60, goodPerSecond: 10 });
  const isKept = TOO_STRONG.includes(attack) || lateOf(tookMs) <= tookMs.length * (1 - PROMISED_SHARE);
  return { count: tookMs.length, broken: isKept ? 0 : lateOf(tookMs), note: describe(tookMs) };
};

/** What an attacker pays: 95 of 100 good visitors are answered within 5 s, solving included. */
export const attackPrices: readonly Part<{ readonly seed: number }>[] = [...CASES, ...TOO_STRONG].map(
  (attack) => ({ name: nameOf(attack), run: ({ seed }) => withstand(attack, seed) }),
);
