import { describe, expect, it } from 'vitest';
import { createSuspicion } from './suspicion.ts';

describe('createSuspicion', () => {
  it('arises when twenty tokens die within a minute, not when they die one by one', () => {
    const slow = createSuspicion();
    for (let n = 0; n < 100; n += 1) expect(slow.died(n * 3_200)).toBe(false);
    const fast = createSuspicion();
    const verdicts = Array.from({ length: 20 }, (_, n) => fast.died(n));
    expect(verdicts.indexOf(true)).toBe(19);
  });

  it('tries one suspect at a time, further apart while they are dead, at once after a live one', () => {
    const suspicion = createSuspicion();
    for (let n = 0; n < 20; n += 1) suspicion.died(0);
    const waits: number[] = [];
    let nowMs = suspicion.trialAtMs();
    for (let trial = 0; trial < 8; trial += 1) {
      suspicion.trialSent();
      expect(suspicion.trialAtMs()).toBe(Infinity);
      suspicion.trialEnded('dead', nowMs);
      waits.push(suspicion.trialAtMs() - nowMs);
      nowMs = suspicion.trialAtMs();
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    suspicion.trialSent();
    suspicion.trialEnded('alive', nowMs);
    expect(suspicion.trialAtMs()).toBe(nowMs);
  });
});
