import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fill } from './fill.ts';

it('filling puts values in the place of names, as often as they occur', () => {
  expect(fill('{name} has {count}: {name}', { name: 'Ada', count: 3 })).toBe('Ada has 3: Ada');
});

it('filling leaves names without a value, and what every object has', () => {
  const text: string = '{platformName} {constructor} {toString} {}';
  expect(fill(text, {})).toBe(text);
});

it('filling takes a value as it is: nothing in it is a name or a pattern', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(fill('<{name}>', { name: value })).toBe(`<${value}>`);
    }),
  );
  expect(fill('{name}{count}', { name: '$&{count}$1', count: 1 })).toBe('$&{count}$11');
});
