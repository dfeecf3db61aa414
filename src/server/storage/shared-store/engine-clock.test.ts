import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createEngineClock } from './engine-clock.ts';

const AHEAD = 1_700_000_000_000;

it('is ours until the engine has said its own', () => {
  const { clock } = createFakeSystem();
  expect(createEngineClock(clock).nowMs()).toBe(clock.wallMs());
});

it('is never behind the engine, and ahead by the shortest way there at most', async () => {
  const way = fc.record({ there: fc.nat(400), back: fc.nat(400), rest: fc.nat(900) });
  await fc.assert(
    fc.asyncProperty(fc.array(way, { minLength: 1, maxLength: 30 }), async (ways) => {
      const system = createFakeSystem();
      const engine = createEngineClock(system.clock);
      const engineMs = () => AHEAD + system.clock.monotonicMs();
      for (const { there, back, rest } of ways) {
        const askedMs = system.clock.monotonicMs();
        system.stall(there);
        const said = engineMs();
        system.stall(back);
        engine.heard(said, askedMs, system.clock.monotonicMs());
        system.stall(rest);
        expect(engine.nowMs()).toBeGreaterThanOrEqual(engineMs());
        expect(engine.nowMs()).toBeLessThanOrEqual(engineMs() + there);
      }
    }),
  );
});

it('follows an engine that drifts, in either direction', () => {
  for (const rate of [1.001, 0.999]) {
    const system = createFakeSystem();
    const engine = createEngineClock(system.clock);
    for (let beat = 0; beat < 1_000; beat += 1) {
      const nowMs = system.clock.monotonicMs();
      expect(engine.heard(AHEAD + nowMs * rate, nowMs, nowMs)).toBe('steady');
      expect(Math.abs(engine.nowMs() - (AHEAD + nowMs * rate))).toBeLessThan(12);
      system.stall(200);
    }
  }
});

it('tells a leap forward, and goes on from there', () => {
  const { clock } = createFakeSystem();
  const engine = createEngineClock(clock);
  expect(engine.heard(AHEAD, 0, 0)).toBe('steady');
  expect(engine.heard(AHEAD + 10_000, 0, 0)).toBe('steady');
  expect(engine.heard(AHEAD + 10_001, 0, 0)).toBe('leapt');
  expect(engine.nowMs()).toBe(AHEAD + 10_001);
  expect(engine.heard(AHEAD, 0, 0)).toBe('steady');
  expect(engine.nowMs()).toBe(AHEAD);
});

it('does not take a long way for a leap', () => {
  const { clock } = createFakeSystem();
  const engine = createEngineClock(clock);
  engine.heard(AHEAD, 0, 0);
  expect(engine.heard(AHEAD + 60_000, 0, 60_000)).toBe('steady');
});

it('forgets the clock of the process before', () => {
  const { clock } = createFakeSystem();
  const engine = createEngineClock(clock);
  engine.heard(AHEAD, 0, 0);
  engine.forget();
  expect(engine.heard(AHEAD + 3_600_000, 0, 0)).toBe('steady');
  expect(engine.nowMs()).toBe(AHEAD + 3_600_000);
});
