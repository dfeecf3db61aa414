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
