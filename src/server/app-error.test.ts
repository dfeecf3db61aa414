import { expect, it } from 'vitest';
import { AppError, describeError } from './app-error.ts';

it('a refusal collects no stack, and other errors still do', () => {
  expect(describeError(new AppError('bad-request'))).toEqual({
    name: 'AppError',
    code: 'bad-request',
    frames: [],
  });
  expect(describeError(new TypeError('x')).frames).not.toEqual([]);
});
