import { expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { ENGLISH } from '#test/support/texts.ts';
import { toFailure } from '../../ask-server.ts';
import { adviceFor } from './notices.tsx';

const adviceIn = (...[failure]: Parameters<typeof adviceFor>): string | undefined => {
  const name = adviceFor(failure);
  return name && ENGLISH.answer[name];
};

const adviceForCode = (code: ErrorCode) => adviceIn(toFailure({ body: { code }, status: 0 }, {}, ''));

it('the advice differs between a visitor, a pool and a platform that must wait', () => {
  const codes = ['visitor-limit', 'pool-empty', 'platform-failed', 'proof-expired'] as const;
  const causes = ['offline', 'unreachable', 'unknown'] as const;
  const advice = [
    ...codes.map(adviceForCode),
    ...causes.map((cause) => adviceIn({ cause, reaction: 'try-later' })),
  ];
  expect(advice).not.toContain(undefined);
  expect(new Set(advice).size).toBe(advice.length);
});

it('advice is missing only where the sentence itself says what to change or that it is to be tried again', () => {
  const unexplained = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !adviceForCode(code));
  const reactions = new Set(unexplained.map((code) => ERRORS[code].reaction));
  expect([...reactions].toSorted()).toEqual(['fix-input', 'try-later']);
});
