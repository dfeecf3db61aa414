import { describe, expect, it } from 'vitest';
import { loadOnce } from './load-altcha.ts';

describe('loading once', () => {
  it('loads only when asked, and then only once', async () => {
    let loads = 0;
    const load = loadOnce(async () => {
      loads += 1;
    });
    expect(loads).toBe(0);
    await Promise.all([load(), load()]);
    await load();
    expect(loads).toBe(1);
  });

  it('tries again after a failure', async () => {
    const outcomes = [() => Promise.reject(new Error('offline')), () => Promise.resolve()];
    const load = loadOnce(() => outcomes.shift()!());
    await expect(load()).rejects.toThrow('offline');
    await expect(load()).resolves.toBeUndefined();
    expect(outcomes).toEqual([]);
  });
});
