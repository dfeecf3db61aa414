import { describe, expect, it } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { errorSentences, toErrorAnswer } from './error-answer.ts';

const sentences = errorSentences({ platformName: 'Discord', tokenDonations: true });
const answerTo = (error: unknown) => toErrorAnswer(error, sentences);
const frameworkError = (statusCode: unknown): Error =>
  Object.assign(new Error('secret detail'), { statusCode });

describe('toErrorAnswer', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('answers %s with its status and its sentence', (code) => {
    const { status } = ERRORS[code];
    expect(answerTo(new AppError(code))).toEqual({ status, body: { error: sentences[code], code } });
  });

  it.each([
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [0, 1],
    [-5, 1],
    [59_999.5, 60],
  ])('rounds %d ms up to %d seconds', (retryAfterMs, seconds) => {
    expect(answerTo(new AppError('pool-busy', { retryAfterMs })).body).toEqual({
      error: sentences['pool-busy'],
      code: 'pool-busy',
      retry_after: seconds,
    });
  });

  it.each([
    [400, 400, 'bad-request'],
    [404, 400, 'bad-request'],
    [413, 413, 'body-too-large'],
    [414, 400, 'bad-request'],
    [415, 415, 'unsupported-media-type'],
    ['415', 415, 'unsupported-media-type'],
    [500, 500, 'internal'],
    [503, 500, 'internal'],
    [200, 500, 'internal'],
    [undefined, 500, 'internal'],
  ])('takes a framework error of %s for %d %s', (statusCode, status, code) => {
    const answer = answerTo(frameworkError(statusCode));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(JSON.stringify(answer)).not.toContain('secret detail');
  });

  it.each([new Error('secret'), new TypeError('secret'), 'secret', { message: 'secret' }, null, undefined])(
    'answers %s as unexpected, without its message',
    (thrown) =>
      expect(answerTo(thrown)).toEqual({
        status: 500,
        body: { error: 'Unexpected server error.', code: 'internal' },
      }),
  );
});

it('has a sentence for every code, with the platform’s name', () => {
  for (const [code, sentence] of Object.entries(
    errorSentences({ platformName: 'Chat & Co', tokenDonations: true }),
  )) {
    expect([code, sentence]).toEqual([code, expect.stringMatching(/^[A-Z].*[.!]$/)]);
    expect(sentence).not.toContain('Discord');
  }
});
