import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { ENGLISH, inPage } from '#test/support/texts.ts';
import { toFailure, type Failure } from '../../ask-server.ts';
import { adviceFor, FailureNotice } from './notices.tsx';

const adviceIn = (failure: Failure): string | undefined => {
  const name = adviceFor(failure);
  return name && ENGLISH.answer[name];
};

const adviceForCode = (code: ErrorCode): string | undefined =>
  adviceIn(toFailure({ body: { code }, status: 0 }, {}, ''));

describe('the advice after a failure', () => {
  it('differs between a visitor, a pool and a platform that must wait', () => {
    const unnamed = toFailure({ body: {}, status: 500 }, {}, '');
    const advice = [
      ...(['visitor-limit', 'pool-busy', 'pool-empty', 'platform-failed', 'proof-expired'] as const).map(
        adviceForCode,
      ),
      adviceIn({ ...unnamed, cause: 'offline' }),
      adviceIn({ ...unnamed, cause: 'unreachable' }),
      adviceIn(unnamed),
    ];
    expect(advice).not.toContain(undefined);
    expect(new Set(advice).size).toBe(advice.length);
  });

  it('is missing only where the sentence itself says what to change or that it is to be tried again', () => {
    const codes = Object.keys(ERRORS) as ErrorCode[];
    const explained = codes.filter((code) => adviceForCode(code) === undefined);
    expect(explained.filter((code) => !['fix-input', 'try-later'].includes(ERRORS[code].reaction))).toEqual(
      [],
    );
  });

  it('does not say what one sees', () => {
    const codes = Object.keys(ERRORS) as ErrorCode[];
    expect(codes.map(adviceForCode).filter((advice) => advice?.includes('Your ID'))).toEqual([]);
  });
});

describe('what a failure offers', () => {
  const looks = (code: ErrorCode, onDonate?: () => void) => {
    const failure = toFailure({ body: { code }, status: 0 }, {}, '');
    const html = renderToStaticMarkup(
      inPage(
        createElement(FailureNotice, {
          failure,
          wait: { seconds: 0, left: 0 },
          onTryAgain: () => undefined,
          onDonate,
        }),
      ),
    );
    return [...html.matchAll(/class="_(primary|plain)[^>]*>(?:<span[^>]*><\/span>)?([^<]+)/g)].map(
      ([, look, name]) => [name, look],
    );
  };

  it('has one thing that stands out', () => {
    expect(looks('platform-failed')).toEqual([['Try again', 'primary']]);
    expect(looks('pool-empty', () => undefined)).toEqual([
      ['Donate a bot token', 'primary'],
      ['Try again', 'plain'],
      ['View status', 'plain'],
    ]);
  });
});
