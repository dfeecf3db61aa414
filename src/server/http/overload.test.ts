import { describe, expect, it } from 'vitest';
import { createFakeSystem, type FakeSystem } from '#test/support/fake-system.ts';
import { createOverload, OVERLOAD_RETRY_MS, type Overload } from './overload.ts';

/** One turn of the event loop with so many requests, each of 10 ms; resolves with how many were admitted. */
const turn = async ({ stall, advance }: FakeSystem, { admits }: Overload, requests: number) => {
  let admitted = 0;
  for (let n = 0; n < requests; n += 1) {
    if (!admits()) continue;
    admitted += 1;
    stall(10);
  }
  await advance(0);
  return admitted;
};

describe('turns of the event loop', () => {
  it('admit requests until they have taken too long, from the second long one on sooner', async () => {
    const system = createFakeSystem();
    const overload = createOverload(system.clock);
    // 50 ms until the timer was due, and 1,000 or 200 that it may be late.
    expect(await turn(system, overload, 500)).toBe(106);
    expect(await turn(system, overload, 500)).toBe(26);
    expect(await turn(system, overload, 500)).toBe(26);
    expect(await turn(system, overload, 20)).toBe(20);
    expect(await turn(system, overload, 60)).toBe(60);
  });

  it('that never end are mostly spent on accepted requests, and still refuse some', () => {
    const { clock, stall } = createFakeSystem();
    const { admits } = createOverload(clock);
    const spentMs = { good: 0, refusing: 0 };
    for (let n = 0; n < 20_000; n += 1) {
      const admitted = admits();
      spentMs[admitted ? 'good' : 'refusing'] += admitted ? 1 : 0.3;
      stall(admitted ? 1 : 0.3);
    }
    const share = spentMs.good / (spentMs.good + spentMs.refusing);
    expect(share).toBeGreaterThan(0.85);
    expect(share).toBeLessThan(0.95);
  });

  it('may be long once in a while', async () => {
    const system = createFakeSystem();
    const overload = createOverload(system.clock);
    for (let round = 0; round < 20; round += 1) {
      expect(await turn(system, overload, 90)).toBe(90);
      expect(await turn(system, overload, 20)).toBe(20);
    }
  });

  it('may be as long as they like if nobody waited', async () => {
    const { clock, stall } = createFakeSystem();
    const { admits } = createOverload(clock);
    stall(5_000);
    expect(admits()).toBe(true);
  });
});

it('shedding ends when nobody has been refused for as long as clients are told to wait', async () => {
  const { clock, advance } = createFakeSystem();
  const { admits, begin, end, isShedding } = createOverload(clock, 1);
  expect(admits()).toBe(true);
  begin();
  expect(isShedding()).toBe(false);
  expect(admits()).toBe(false);
  expect(isShedding()).toBe(true);
  end();
  await advance(OVERLOAD_RETRY_MS - 1);
  admits();
  expect(isShedding()).toBe(true);
  await advance(1);
  expect(isShedding()).toBe(false);
});
