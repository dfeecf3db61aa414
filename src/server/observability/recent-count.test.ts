import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createRecentCount } from './recent-count.ts';

describe('createRecentCount', () => {
  it('counts the last hour and forgets what is older', async () => {
    const { clock, advance } = createFakeSystem();
    const recent = createRecentCount(clock);
    recent.add();
    await advance(30 * 60_000);
    recent.add();
    recent.add();
    expect(recent.total()).toBe(3);
    await advance(30 * 60_000);
    expect(recent.total()).toBe(2);
    await advance(30 * 60_000);
    expect(recent.total()).toBe(0);
  });

  it('is empty after a long silence', async () => {
    const { clock, advance } = createFakeSystem();
    const recent = createRecentCount(clock);
    for (let n = 0; n < 100; n += 1) recent.add();
    await advance(24 * 3_600_000);
    expect(recent.total()).toBe(0);
  });
});
