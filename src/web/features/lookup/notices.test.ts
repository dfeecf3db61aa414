import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { toFailure } from '../../ask-server.ts';
import { adviceFor } from './notices.tsx';

const adviceForCode = (code: ErrorCode): string | undefined => adviceFor(toFailure({ code }, ''));

describe('the advice after a failure', () => {
  it('differs between a visitor, a pool and a platform that must wait', () => {
    const unnamed = toFailure({}, '');
    const advice = [
      ...(
        [
          'visitor-limit',
          'pool-busy',
          'pool-empty',
          'platform-failed',
          'platform-paused',
          'proof-expired',
        ] as const
      ).map(adviceForCode),
      adviceFor({ ...unnamed, cause: 'offline' }),
      adviceFor({ ...unnamed, cause: 'unreachable' }),
      adviceFor(unnamed),
    ];
    expect(advice).not.toContain(undefined);
    expect(new Set(advice).size).toBe(advice.length);
  });

  it('is missing only where the sentence itself says what to change in the field', () => {
    const codes = Object.keys(ERRORS) as ErrorCode[];
    expect(codes.filter((code) => adviceForCode(code) === undefined)).toEqual(
      codes.filter((code) => ERRORS[code].reaction === 'fix-input'),
    );
  });
});
