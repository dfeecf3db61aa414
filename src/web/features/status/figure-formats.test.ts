import { expect, it } from 'vitest';
import { FORMATS } from '#test/support/texts.ts';
import { agoInWords } from './figure-formats.ts';

it.each([
  [9.9, undefined],
  [10, '10 seconds ago'],
  [59, '50 seconds ago'],
  [60, '1 minute ago'],
  [3_599, '59 minutes ago'],
  [3_600, '1 hour ago'],
  [90_000, '25 hours ago'],
])('says how long ago %s seconds are', (seconds, words) => expect(agoInWords(FORMATS, seconds)).toBe(words));
