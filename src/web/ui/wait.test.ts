import { expect, it } from 'vitest';
import { FORMATS } from '#test/support/texts.ts';
import { secondsLeft } from '../proved-request.ts';
import { waitInWords } from './wait.tsx';

it.each([
  ['a second later', 40, 39_000, 39],
  ['late, because the page was hidden', 40, 10_000, 10],
  ['after the end', 40, -5_000, 0],
  ['a clock that was set back', 40, 3_600_000, 39],
])('what is left of a wait, %s', (_, before, untilEndMs, left) => {
  expect(secondsLeft(before, 1_000_000 + untilEndMs, 1_000_000)).toBe(left);
});

it.each([
  [1, 'in 1 second'],
  [119, 'in 119 seconds'],
  [121, 'in 3 minutes'],
  [7_201, 'in 3 hours'],
])('says a wait of %i seconds: %s', (seconds, words) => expect(waitInWords(FORMATS, seconds)).toBe(words));
