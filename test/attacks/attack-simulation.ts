import { AppError } from '#server/app-error.ts';
import { sleep } from '#server/system.ts';
import { startAttackedSite } from './attacked-site.ts';
import { createFakeSystem, type FakeSystem } from '#test/support/fake-system.ts';

export type Attack = {
  /** What the solver can do at the default difficulty. */
  readonly proofsPerSecond: number;
  /** IPv6 /48s. */
  readonly networks: number;
  /** IPv6 /32s that they are in; one by default. */
  readonly blocks?: number;
  /** For how long proofs are collected before the attack, in which all are spent. */
  readonly hoardSeconds?: number;
};

type AttackSimulation = Attack & {
  readonly seed: number;
  readonly seconds: number;
  readonly goodPerSecond: number;
};

/** Measured, in hashes a second: a vectorised solver (AVX-512, 16 numbers at once) on one core of 2.5 GHz. */
const NATIVE_CORE = 54_000_000;
const HASHES_PER_PROOF = 500_000;
export const coresFor = (proofsPerSecond: number): number =>
  (proofsPerSecond * HASHES_PER_PROOF) / NATIVE_CORE;

/** Estimates, in hashes a second of all threads: a laptop, a phone and a weak phone. */
const DEVICES = [
  { upTo: 0.5, hashesPerSecond: 29_000_000 },
  { upTo: 0.9, hashesPerSecond: 4_000_000 },
  { upTo: 1, hashesPerSecond: 1_600_000 },
];
/** By then the last visitors have been answered. */
const REST_SECONDS = 15;

const nullIfRefused = (error: unknown): null => {
  if (!(error instanceof AppError)) throw error;
  return null;
};

type Site = ReturnType<typeof startAttackedSite>;

/** Solves all the time; sends from each network in turn, as fast as its limits allow. */
const startAttack = (system: FakeSystem, site: Site, attack: Attack): void => {
  const { proofsPerSecond, networks, blocks = 1, hoardSeconds = 0 } = attack;
  const { clock, random } = system;
  const hoard: string[] = [];
  const freeAtMs = new Map<number, number>();
  let turn = 0;
  const nextNetwork = (): number => (turn += 1) % networks;
  const addressIn = (network: number): string =>
    `2a00:${(network % blocks).toString(16)}:${Math.floor(network / blocks).toString(16)}:${random.integer(65_536).toString(16)}::1`;

  const send = async (network: number, proof: string): Promise<void> => {
    try {
      await site.lookUp(addressIn(network), proof);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code !== 'visitor-limit') return;
      freeAtMs.set(network, clock.monotonicMs() + (error.retryAfterMs ?? 0));
      hoard.push(proof);
    }
  };
  const sendAlways = async (): Promise<void> => {
    await sleep(clock, hoardSeconds * 1_000);
    // If it were sent faster, the hoard would be gone before it had any effect.
    for (; ; await sleep(clock, 1_000 / Math.max(100, proofsPerSecond))) {
      const network = nextNetwork();
      const proof = (freeAtMs.get(network) ?? 0) > clock.monotonicMs() ? undefined : hoard.shift();
      if (proof !== undefined) void send(network, proof);
    }
  };
  const solveAlways = async (): Promise<void> => {
    for (;;) {
      const proof = await site
        .solve(addressIn(nextNetwork()), proofsPerSecond * HASHES_PER_PROOF)
        .catch(nullIfRefused);
      if (proof === null) await sleep(clock, 10);
      else hoard.push(proof);
    }
  };
  void sendAlways();
  void solveAlways();
};

/** Resolves to how long each good visitor took from the press to the answer; Infinity if refused. */
export const simulateAttack = async (simulation: AttackSimulation): Promise<number[]> => {
  const { seed, seconds, goodPerSecond, hoardSeconds = 0 } = simulation;
  const system = createFakeSystem({ seed });
  const { clock, random, advance } = system;
  const site = startAttackedSite(system);
  const tookMs: number[] = [];
  const draw = (): number => (1 + random.integer(1e6)) / 1e6;

  const visit = async (): Promise<void> => {
    const share = draw();
    const { hashesPerSecond } = DEVICES.find(({ upTo }) => share <= upTo) ?? { hashesPerSecond: 0 };
    const address = `${1 + random.integer(200)}.${random.integer(256)}.${random.integer(256)}.7`;
    const visitor = tookMs.push(Infinity) - 1;
    const sinceMs = clock.monotonicMs();
    const answer = site.solve(address, hashesPerSecond).then((proof) => site.lookUp(address, proof));
    const answered = await answer.then(() => true).catch(nullIfRefused);
    if (answered !== null) tookMs[visitor] = clock.monotonicMs() - sinceMs;
  };
  const visitAlways = async (): Promise<void> => {
    await sleep(clock, hoardSeconds * 1_000);
    while (clock.monotonicMs() < (hoardSeconds + seconds) * 1_000) {
      void visit();
      await sleep(clock, (-Math.log(draw()) * 1_000) / goodPerSecond);
    }
  };
  startAttack(system, site, simulation);
  void visitAlways();
  await advance((hoardSeconds + seconds + REST_SECONDS) * 1_000);
  return tookMs;
};
