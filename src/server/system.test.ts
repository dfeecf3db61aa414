import { expect, test } from 'vitest';
import { realSystem } from './system.ts';

test('a moment that has passed while it was worked out is now, without a warning from Node', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const fired = Promise.withResolvers<void>();
  realSystem.clock.after(-0.0005, fired.resolve);
  await fired.promise;
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
