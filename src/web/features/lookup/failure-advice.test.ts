import { describe, expect, it } from 'vitest';
import { adviceFor, waitInWords } from './failure-advice.ts';
import type { FailureCause } from './look-up.ts';

describe('the advice after a failure', () => {
  it('differs between a visitor, a pool and a platform that must wait', () => {
    const causes: FailureCause[] = [
      'visitor-limit',
      'pool-busy',
      'pool-empty',
      'platform-failed',
      'platform-paused',
      'proof-expired',
      'offline',
      'unreachable',
      'unknown',
    ];
    const advice = causes.map(adviceFor);
    expect(advice).not.toContain(undefined);
    expect(new Set(advice).size).toBe(causes.length);
  });

  it('does not trip over a cause it does not know', () => {
    expect(adviceFor('constructor' as FailureCause)).toBe(adviceFor('unknown'));
  });
});

describe('a wait in words', () => {
  it.each([
    [1, '1 second'],
    [2, '2 seconds'],
    [119, '119 seconds'],
    [120, '2 minutes'],
    [121, '3 minutes'],
    [7_140, '119 minutes'],
    [7_200, '2 hours'],
    [82_721, '23 hours'],
  ])('of %i is %s', (seconds, words) => {
    expect(waitInWords(seconds)).toBe(words);
  });
});
