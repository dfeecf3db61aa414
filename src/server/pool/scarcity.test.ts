import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createScarcity } from './lease-queue.ts';

it('is there within seconds, and gone after two minutes', async () => {
  const { clock, advance } = createFakeSystem();
  let shortage = 0.9;
  const scarcity = createScarcity(clock, () => shortage);
  expect(scarcity()).toBe(0);
  for (const expected of [0.5, 0.9, 0.9]) {
    await advance(1_000);
    expect(scarcity()).toBe(expected);
  }
  shortage = 0;
  await advance(60_000);
  expect(scarcity()).toBeCloseTo(0.4);
  await advance(70_000);
  expect(scarcity()).toBe(0);
});

it('does not take a time that nobody looked at for a shortage', async () => {
  const { clock, advance } = createFakeSystem();
  const scarcity = createScarcity(clock, () => 1);
  await advance(3_600_000);
  expect(scarcity()).toBe(0.5);
});
