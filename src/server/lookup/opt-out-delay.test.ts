import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createOptOutDelay } from './opt-out-delay.ts';

/** How long each of many waits takes. */
const durations = async (observed: readonly number[]): Promise<Set<number>> => {
  const system = createFakeSystem();
  const delay = createOptOutDelay(system);
  for (const ms of observed) delay.observe(ms);
  const took = new Set<number>();
  for (let n = 0; n < 200; n += 1) {
    const startMs = system.clock.monotonicMs();
    const ended = delay.wait().then(() => took.add(system.clock.monotonicMs() - startMs));
    await system.advance(1_000);
    await ended;
  }
  return took;
};

it('takes as long as one of the last answers took', async () => {
  expect(await durations([30, 80])).toEqual(new Set([30, 80]));
});

it('has a usual time before the first answer, and forgets old ones', async () => {
  expect(await durations([])).toEqual(new Set([120]));
  expect(await durations([...Array<number>(32).fill(900), ...Array<number>(32).fill(50)])).toEqual(
    new Set([50]),
  );
});
