import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FLAG_BITS, flagsFromBits } from '#shared/flags.ts';

it('has a picture for every badge, and none that is not shown', () => {
  const all = flagsFromBits(FLAG_BITS.reduce((bits, bit) => bits + 2 ** bit, 0));
  const pictures = readdirSync(new URL('../../../web/public/badges/', import.meta.url));
  expect(all.flatMap(({ image }) => image ?? []).toSorted()).toEqual(
    pictures.map((name) => `/badges/${name}`).toSorted(),
  );
});
