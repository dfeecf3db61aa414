import { describe, expect, it } from 'vitest';
import { waitInWords } from './countdown.tsx';

describe('a wait in words', () => {
  it.each([
    [1, '1 second'],
    [2, '2 seconds'],
    [119, '119 seconds'],
    [120, '2 minutes'],
    [121, '3 minutes'],
    [7140, '119 minutes'],
    [7141, '2 hours'],
    [7201, '3 hours'],
  ])('%i s is %s', (seconds, words) => {
    expect(waitInWords(seconds)).toBe(words);
  });
});
