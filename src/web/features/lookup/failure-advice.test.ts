import { describe, expect, it } from 'vitest';
import { adviceFor } from './failure-advice.ts';
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
