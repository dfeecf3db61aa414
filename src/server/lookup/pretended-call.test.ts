import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createPretendedCall } from './pretended-call.ts';

/** How long, in steps of 10 ms, each of a few pretended calls takes. */
const durations = async (observed: readonly number[]): Promise<Set<number>> => {
  const system = createFakeSystem();
  const call = createPretendedCall(system);
  for (const ms of observed) call.observe(ms);
  const took = new Set<number>();
  for (let n = 0; n < 200; n += 1) {
    let done = false;
    void call.pretend().then(() => (done = true));
    let ms = 0;
    for (; !done; ms += 10) await system.advance(10);
    took.add(ms);
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
