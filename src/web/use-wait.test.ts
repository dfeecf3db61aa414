import { expect, it } from 'vitest';
import { secondsLeft } from './use-wait.ts';

it.each([
  ['a second later', 39_000, 39],
  ['late, because the page was hidden', 10_000, 10],
  ['after the end', -5_000, 0],
  ['after a clock was set back', 3_600_000, 39],
])('of a wait of 40 seconds, counted %s, %i ms before its end, %i are left', (_, untilEndMs, left) => {
  expect(secondsLeft(40, 1_000_000 + untilEndMs, 1_000_000)).toBe(left);
});
