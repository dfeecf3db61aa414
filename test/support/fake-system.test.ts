import { describe, expect, it } from 'vitest';
import { createFakeSystem } from './fake-system.ts';

describe('createFakeSystem', () => {
  it('does not fire a cancelled timer', async () => {
    const { clock, advance } = createFakeSystem();
    const fired: string[] = [];
    const cancel = clock.after(5, () => fired.push('cancelled'));
    cancel();
    await advance(10);
    cancel();
    expect(fired).toEqual([]);
  });

  it('fires no timer while it is held up, and then the late ones without going back', async () => {
    const { clock, advance, stall } = createFakeSystem();
    const fired: number[] = [];
    clock.after(10, () => fired.push(clock.monotonicMs()));
    clock.after(60, () => fired.push(clock.monotonicMs()));
    stall(50);
    expect([clock.monotonicMs(), fired]).toEqual([50, []]);
    await advance(20);
    expect(fired).toEqual([50, 60]);
  });

  it('jumps the wall clock alone', async () => {
    const { clock, advance, skewWall } = createFakeSystem({ wallMs: 5_000 });
    await advance(1_000);
    skewWall(-3_000);
    expect([clock.wallMs(), clock.monotonicMs()]).toEqual([3_000, 1_000]);
  });

  it('repeats its random numbers for the same seed only', () => {
    const draw = (seed: number) => createFakeSystem({ seed }).random.bytes(16).toString('hex');
    expect(draw(7)).toBe(draw(7));
    expect(draw(7)).not.toBe(draw(8));
  });
});
