import { expect, it } from 'vitest';
import { FORMATS } from '#test/support/texts.ts';
import { secondsLeft } from '../proved-request.ts';
import { waitInWords } from './wait.tsx';

it.each([
  ['a second later', 39_000, 39],
  ['late, because the page was hidden', 10_000, 10],
  ['after the end', -5_000, 0],
  ['after a clock was set back', 3_600_000, 39],
])('of a wait of 40 seconds, counted %s, %i ms before its end, %i are left', (_, untilEndMs, left) => {
  expect(secondsLeft(40, 1_000_000 + untilEndMs, 1_000_000)).toBe(left);
});

it.each([
  [1, 'in 1 second'],
  [121, 'in 3 minutes'],
  [7_201, 'in 3 hours'],
])('a wait of %i seconds is told as: %s', (seconds, words) => {
  expect(waitInWords(FORMATS, seconds)).toBe(words);
});
