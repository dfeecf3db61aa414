import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createOverload, OVERLOAD_RETRY_MS } from './overload.ts';

describe('a turn of the event loop', () => {
  it('admits requests until it has taken too long, and then the next turn does', async () => {
    const { clock, stall, advance } = createFakeSystem();
    const { admits } = createOverload({ clock, maxDelayMs: 200 });
    let admitted = 0;
    for (let n = 0; n < 100; n += 1) {
      if (!admits()) continue;
      admitted += 1;
      stall(10);
    }
    // 250 ms: 50 until the timer was due, 200 that it may be late.
    expect(admitted).toBe(26);
    expect(admits()).toBe(false);
    await advance(0);
    expect(admits()).toBe(true);
  });

  it('may be long if nobody waited for it', () => {
    const { clock, stall } = createFakeSystem();
    const { admits } = createOverload({ clock });
    stall(5_000);
    expect(admits()).toBe(true);
  });

  it('is not counted together with the turns before', async () => {
    const { clock, stall, advance } = createFakeSystem();
    const { admits } = createOverload({ clock, maxDelayMs: 200 });
    for (let turn = 0; turn < 50; turn += 1) {
      expect(admits()).toBe(true);
      stall(240);
      expect(admits()).toBe(true);
      await advance(0);
    }
  });
});

describe('requests under way', () => {
  it('are so many at most', () => {
    const { admits, begin, end } = createOverload({ clock: createFakeSystem().clock, maxInFlight: 2 });
    begin();
    expect(admits()).toBe(true);
    begin();
    expect(admits()).toBe(false);
    end();
    expect(admits()).toBe(true);
  });
});

describe('shedding', () => {
  it('lasts until nobody was refused for as long as the refused were told to wait', async () => {
    const { clock, advance } = createFakeSystem();
    const { admits, begin, end, isShedding } = createOverload({ clock, maxInFlight: 1 });
    begin();
    expect(isShedding()).toBe(false);
    admits();
    expect(isShedding()).toBe(true);
    end();
    await advance(OVERLOAD_RETRY_MS - 1);
    admits();
    expect(isShedding()).toBe(true);
    await advance(1);
    expect(isShedding()).toBe(false);
  });
});
