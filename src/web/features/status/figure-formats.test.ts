import { expect, it } from 'vitest';
import { FORMATS } from '#test/support/texts.ts';
import { agoInWords } from './figure-formats.ts';

it.each([
  [9.9, undefined],
  [10, '10 seconds ago'],
  [60, '1 minute ago'],
  [3_600, '1 hour ago'],
  [90_000, '25 hours ago'],
])('a moment %s seconds ago is told as: %s', (seconds, words) => {
  expect(agoInWords(FORMATS, seconds)).toBe(words);
});
