import { expect, it } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { errorSentences, toErrorAnswer } from './error-answer.ts';

const sentences = errorSentences({ platformName: 'Chat & Co', tokenDonations: true });

it.each([
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [0, 1],
  [-5, 1],
])('a wait of %d ms is rounded up to %d seconds', (retryAfterMs, seconds) => {
  const { body } = toErrorAnswer(new AppError('pool-busy', { retryAfterMs }), sentences);
  expect(body).toEqual({ error: sentences['pool-busy'], code: 'pool-busy', retry_after: seconds });
});

it.each([new TypeError('secret'), 'secret', { message: 'secret' }, null, undefined])(
  'a defect (%s) is answered as unexpected, without its message',
  (thrown) =>
    expect(toErrorAnswer(thrown, sentences)).toEqual({
      status: 500,
      body: { error: 'Unexpected server error.', code: 'internal' },
    }),
);

it('every code has a sentence with the platform’s name', () => {
  for (const [code, sentence] of Object.entries(sentences)) {
    expect([code, sentence]).toEqual([code, expect.stringMatching(/^[A-Z].*[.!]$/)]);
    expect(sentence).not.toContain('Discord');
  }
});
