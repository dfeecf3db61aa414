import { createRateLimits, type LimitSettings } from '#sandbox/rate-limits.ts';
import { createEgressGate } from '#server/platform/egress-gate.ts';
import { createInvalidRequestGovernor } from '#server/platform/invalid-request-governor.ts';
import type { LeaseOutcome } from '#server/pool/lease-outcome.ts';
import { createSecret } from '#server/platform/secret.ts';
import { createTokenPool, type Lease } from '#server/pool/token-pool.ts';
import { createFakeSystem } from './fake-system.ts';

export type PoolSimulationOptions = {
  readonly tokens: number;
  readonly seconds: number;
  readonly limits: LimitSettings;
  readonly seed: number;
  /** Milliseconds a request or an answer is on its way, given a draw from [0, 1). */
  readonly delayMs: (draw: number) => number;
};

export type PoolSimulation = {
  readonly answered: number;
  readonly rateLimited: number;
  readonly capacity: number;
};

/**
 * The pool under endless demand, against the sandbox's own rate limits, in simulated time: only the network between
 * them is made up, with a delay of its own for every request and every answer, so that they overtake each other.
 */
export const simulatePool = async (options: PoolSimulationOptions): Promise<PoolSimulation> => {
  const { tokens, seconds, limits, seed, delayMs } = options;
  const { clock, random, advance } = createFakeSystem({ seed });
  const platform = createRateLimits(limits);
  const governor = createInvalidRequestGovernor({
    clock,
    journal: { load: () => [], save: () => {} },
    hardLimit: 1e9,
  });
  const gate = createEgressGate({ random, governor, perSecond: 10_000 });
  const pool = createTokenPool({
    clock,
    gate,
    onRetired: () => {},
    maxWaiting: Infinity,
    maxWaitMs: Infinity,
  });
  for (let n = 0; n < tokens; n += 1) pool.add({ botId: `${n}`, secret: createSecret(`${n}`) });

  let answered = 0;
  let rateLimited = 0;
  const travel = (task: () => void): void => void clock.after(delayMs(random.integer(1e6) / 1e6), task);

  const ask = ({ secret }: Lease): LeaseOutcome => {
    const { allowed, remaining, resetAfterMs } = platform.spendUserSlot(secret.reveal(), clock.monotonicMs());
    const reading = { limit: limits.limit, remaining, resetAfterMs: Math.round(resetAfterMs) };
    if (allowed) answered += 1;
    else rateLimited += 1;
    return allowed
      ? { kind: 'answered', reading }
      : { kind: 'rate-limited', scope: 'user', retryAfterMs: resetAfterMs, reading };
  };

  const demand = async (): Promise<void> => {
    const lease = await pool.lease();
    travel(() => {
      const outcome = ask(lease);
      travel(() => {
        lease.report(outcome);
        void demand();
      });
    });
  };
  for (let n = 0; n < tokens * 5; n += 1) void demand();
  await advance(seconds * 1_000);

  const perToken =
    limits.mode === 'sliding'
      ? limits.limit + Math.floor((seconds * 1_000 * limits.limit) / limits.periodMs)
      : limits.limit * Math.ceil((seconds * 1_000) / limits.periodMs);
  return { answered, rateLimited, capacity: perToken * tokens };
};
