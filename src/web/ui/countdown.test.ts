import { describe, expect, it } from 'vitest';
import { FORMATS } from '#test/support/texts.ts';
import { waitInWords } from './countdown.tsx';

describe('a wait in words', () => {
  it.each([
    [1, 'in 1 second'],
    [2, 'in 2 seconds'],
    [119, 'in 119 seconds'],
    [120, 'in 2 minutes'],
    [121, 'in 3 minutes'],
    [7140, 'in 119 minutes'],
    [7141, 'in 2 hours'],
    [7201, 'in 3 hours'],
  ])('%i s is %s', (seconds, words) => {
    expect(waitInWords(FORMATS, seconds)).toBe(words);
  });
});
