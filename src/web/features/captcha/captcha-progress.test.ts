import { expect, it } from 'vitest';
import { ENGLISH, FORMATS } from '#test/support/texts.ts';
import { timeLeft } from './captcha-progress.tsx';

it.each([
  [0.5, 999, ''],
  [0.5, 4_000, 'Up to 4 seconds left'],
  [0.25, 2_000, 'Up to 6 seconds left'],
  [0.9, 1_500, 'Almost done'],
])('a search that is %d done after %i ms says %j', (share, passedMs, words) => {
  expect(timeLeft({ share, passedMs }, ENGLISH.captcha, FORMATS)).toBe(words);
});
