import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRuns } from './number-run.ts';
import { createSimdSearch } from './simd-search.ts';

const SALT = '0123456789abcdef01234567?expires=1763170000&';

const digestOf = async (text: string): Promise<Int32Array> => {
  const digest = new DataView(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Int32Array.from({ length: 8 }, (_, word) => digest.getInt32(4 * word));
};

const refusing = {
  Module: function Module() {
    throw new Error('refused by the policy');
  },
};

describe('four numbers at a time', () => {
  it.each([100, 256, 4_242, 99_999, 123_456, 999_999, 7_654_321])(
    'the hundreds before %i alone are passed',
    async (number) => {
      const skipHundreds = createSimdSearch();
      const hundred = Math.floor(number / 100);
      const first = Math.max(10 ** (String(hundred).length - 1), hundred - 40);
      const run = () => createRuns(SALT)(100 * first);
      const target = await digestOf(SALT + String(number));
      expect(skipHundreds?.(run(), hundred - first + 1, target)).toBe(hundred - first);
      expect(skipHundreds?.(run(), hundred - first, target)).toBe(hundred - first);
    },
  );

  it.each([
    ['fewer than three digits', SALT, 10],
    ['what does not fit into one block', 'x'.repeat(53), 100],
  ])('nothing is passed over with %s', async (_what, salt, start) => {
    expect(createSimdSearch()?.(createRuns(salt)(start), 1, await digestOf(''))).toBe(0);
  });

  it.each([
    ['there is no WebAssembly', undefined],
    ['it is not compiled', refusing],
  ])('it is not available where %s', (_where, wasm) => {
    vi.stubGlobal('WebAssembly', wasm);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(createSimdSearch()).toBeUndefined();
  });
});
