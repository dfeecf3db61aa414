import { describe, expect, it } from 'vitest';
import { addDoubt, addVerdict, createSuspicion, type Suspicion } from './suspicion.ts';

const waitsAfter = (suspicion: Suspicion, verdicts: ('dead' | 'unclear' | 'alive')[]) => {
  let nowMs = Math.max(0, suspicion.nextMs);
  return verdicts.map((verdict) => {
    addVerdict(suspicion, verdict, nowMs);
    const waitMs = suspicion.nextMs - nowMs;
    nowMs = suspicion.nextMs;
    return waitMs;
  });
};

describe('suspicion', () => {
  it('falls on all when twenty tokens are refused within a minute, not when they are one by one', () => {
    const slow = createSuspicion();
    for (let n = 0; n < 100; n += 1) expect(addDoubt(slow, n * 3_200)).toBe(false);
    const fast = createSuspicion();
    const verdicts = Array.from({ length: 20 }, (_, n) => addDoubt(fast, n));
    expect(verdicts.indexOf(true)).toBe(19);
  });

  it('asks about few suspects at once, one after the other', () => {
    const suspicion = createSuspicion();
    addDoubt(suspicion, 0);
    expect(waitsAfter(suspicion, ['dead', 'dead', 'alive', 'dead'])).toEqual([0, 0, 0, 0]);
  });

  it('asks about many further and further apart while they are dead, and at once after a live one', () => {
    const suspicion = createSuspicion();
    for (let n = 0; n < 20; n += 1) addDoubt(suspicion, 0);
    const dead = Array.from({ length: 8 }, () => 'dead' as const);
    expect(waitsAfter(suspicion, [...dead, 'alive', 'dead'])).toEqual([
      2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 0, 2_000,
    ]);
  });

  it('asks again later, and ever later, while there is no plain answer', () => {
    const suspicion = createSuspicion();
    addDoubt(suspicion, 0);
    expect(waitsAfter(suspicion, ['unclear', 'unclear', 'unclear'])).toEqual([2_000, 4_000, 8_000]);
  });
});
