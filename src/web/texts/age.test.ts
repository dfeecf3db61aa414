import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGLISH, FORMATS } from '#test/support/texts.ts';

const age = (fromMs: number, nowMs: number): string => FORMATS.span([fromMs, nowMs], ENGLISH.ui);

describe('an age in words', () => {
  it.each([
    ['2018-05-04T16:20:17Z', '2026-11-15T00:00:00Z', '8 years, 6 months'],
    ['2025-11-15T00:00:00Z', '2026-11-15T00:00:00Z', '1 year'],
    ['2025-11-10T00:00:00Z', '2026-11-15T00:00:00Z', '1 year'],
    ['2026-10-14T00:00:00Z', '2026-11-15T00:00:00Z', '1 month, 1 day'],
    ['2026-11-14T00:00:00Z', '2026-11-15T00:00:00Z', '1 day'],
    ['2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z', '1 month'],
    ['2024-02-29T12:00:00Z', '2025-02-28T11:59:59Z', '11 months, 29 days'],
    ['2026-11-14T22:58:00Z', '2026-11-15T00:00:00Z', '1 hour, 2 minutes'],
    ['2026-11-14T23:59:00Z', '2026-11-15T00:00:00Z', '1 minute'],
    ['2026-11-14T23:59:01Z', '2026-11-15T00:00:00Z', 'less than a minute'],
    ['2026-11-15T00:00:30Z', '2026-11-15T00:00:00Z', 'less than a minute'],
  ])('from %s to %s is %s', (from, now, words) => {
    expect(age(Date.parse(from), Date.parse(now))).toBe(words);
  });

  it('is never empty and never names a zero', () => {
    const moment = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2060, 0) });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const words = age(Math.min(a, b), Math.max(a, b));
        expect(words).toMatch(/^(?:[1-9]\d* [a-z]+(?:, [1-9]\d* [a-z]+)?|less than a minute)$/);
      }),
    );
  });
});
