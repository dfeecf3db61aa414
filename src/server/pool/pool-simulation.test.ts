import { describe, expect, it } from 'vitest';
import { simulatePool } from '#test/support/pool-simulation.ts';

const limits = { limit: 30, periodMs: 30_000, globalPerSecond: 50 };
const networks = {
  'a steady network': () => 20,
  'a jittery network': (draw: number) => 10 + 200 * draw,
  'a network with stalls': (draw: number) => (draw > 0.995 ? 2_000 : 10 + 90 * draw),
};

describe.each(['sliding', 'fixed'] as const)('the pool against %s limits', (mode) => {
  it.each(Object.entries(networks))(
    'on %s uses 99 %% of what there is and is never turned away',
    async (_, delayMs) => {
      const run = await simulatePool({
        tokens: 4,
        seconds: 300,
        limits: { ...limits, mode },
        seed: 7,
        delayMs,
      });
      expect(run.rateLimited).toBe(0);
      expect(run.answered / run.capacity).toBeGreaterThan(0.99);
    },
  );
});
