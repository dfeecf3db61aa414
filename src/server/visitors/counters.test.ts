import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createCounters, type Allowance, type Assessment, type Counter } from './limits.ts';

const HOUR = 3_600_000;
const hourly: Allowance = { count: 1, periodMs: HOUR, burst: 3 };
const once: Allowance = { count: 1, periodMs: 1_000 * HOUR, burst: 1 };
const counter = (key: string, ...allowances: Allowance[]): Counter => ({ key, allowances });

const setUp = (max?: number) => {
  const system = createFakeSystem();
  const counters = createCounters(system.clock.monotonicMs, max);
  const expectTaken = (counted: Counter[], waitMs: number, pressure = 1): void => {
    const actual: Assessment = counters.of(counted).take();
    expect(actual.waitMs).toBeCloseTo(waitMs, 1);
    expect(actual.pressure).toBeCloseTo(pressure, 6);
  };
  return { system, counters, expectTaken };
};

it('visitors are counted apart, by each of their allowances, and all of them must agree', () => {
  const { expectTaken } = setUp();
  const both = [counter('narrow', hourly), counter('wide', { count: 1, periodMs: 10 * HOUR, burst: 2 })];
  for (const pressure of [1 / 2, 1]) expectTaken(both, 0, pressure);
  expectTaken(both, 10 * HOUR);
  expectTaken([counter('other', hourly, once)], 0);
  expectTaken([counter('other', hourly, once)], 1_000 * HOUR);
});

it('visitors who may not come do not count against the network that they share', () => {
  const { counters, expectTaken } = setUp();
  const wide = counter('wide', { ...hourly, burst: 5 });
  for (let n = 0; n < 20; n += 1) counters.of([counter('narrow', once), wide]).take();
  expectTaken([wide], 0, 2 / 5);
});

it('an event that is given back leaves no trace, whenever that is', async () => {
  const { system, counters, expectTaken } = setUp();
  const visit = [counter('a', hourly)];
  for (const passedMs of [0, HOUR / 2, 2 * HOUR]) {
    counters.of(visit).take();
    await system.advance(passedMs);
    counters.of(visit).giveBack();
  }
  for (const pressure of [1 / 3, 2 / 3, 1]) expectTaken(visit, 0, pressure);
  counters.of(visit).giveBack();
  expectTaken(visit, 0);
});

it('no visitor is charged for another; when there are too many, who has not come for longest is forgotten', () => {
  const { expectTaken } = setUp(16);
  const visit = (key: number) => [counter(`${key}`, hourly)];
  for (const pressure of [1 / 3, 2 / 3, 1]) expectTaken(visit(0), 0, pressure);
  for (let key = 1; key < 1_000; key += 1) {
    expectTaken(visit(key), 0, 1 / 3);
    expectTaken(visit(0), HOUR);
  }
  for (let key = 1; key < 17; key += 1) expectTaken(visit(key), 0, 1 / 3);
  expectTaken(visit(0), 0, 1 / 3);
});
