import { describe, expect, test } from 'vitest';
import { useDialects } from '#test/support/databases.ts';
import { createOptOutStore } from './opt-outs.ts';

describe.each(useDialects())('opt-outs on $name', ({ missing, create }) => {
  test.skipIf(missing !== null)(
    'are there once, in the order of their days, until they are removed',
    async () => {
      await using databases = await create();
      const store = createOptOutStore((await databases.open()).database);
      expect(await store.add('b', '2026-11-16')).toBe(true);
      expect(await store.add('a', '2026-11-15')).toBe(true);
      expect(await store.add('b', '2026-11-17')).toBe(false);
      expect(await store.all()).toEqual([
        { digest: 'a', created_day: '2026-11-15' },
        { digest: 'b', created_day: '2026-11-16' },
      ]);
      expect(await store.remove('a')).toBe(true);
      expect(await store.remove('a')).toBe(false);
      expect(await store.all()).toHaveLength(1);
    },
  );
});
