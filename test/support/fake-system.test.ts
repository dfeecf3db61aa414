import { describe, expect, it } from 'vitest';
import { createFakeSystem } from './fake-system.ts';

describe('createFakeSystem', () => {
  it('fires due timers in order, at their own time, and only those', async () => {
    const { clock, advance } = createFakeSystem({ wallMs: 1_000 });
    const fired: string[] = [];
    clock.after(30, () => fired.push(`c at ${clock.monotonicMs()}`));
    clock.after(10, () => fired.push(`a at ${clock.wallMs()}`));
    clock.after(10, () => fired.push('b'));
    clock.after(51, () => fired.push('late'));
    await advance(50);
    expect(fired).toEqual(['a at 1010', 'b', 'c at 30']);
    expect(clock.monotonicMs()).toBe(50);
  });

  it('fires timers that promises set while time goes on', async () => {
    const { clock, advance } = createFakeSystem();
    const pause = (ms: number) => new Promise<void>((done) => clock.after(ms, done));
    const ticks: number[] = [];
    const ticking = (async () => {
      for (let tick = 0; tick < 3; tick += 1) {
        await pause(10);
        ticks.push(clock.monotonicMs());
      }
    })();
    await advance(30);
    await ticking;
    expect(ticks).toEqual([10, 20, 30]);
  });

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
