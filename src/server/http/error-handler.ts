import { AppError } from '#server/app-error.ts';
import { ERRORS, type ErrorBody, type ErrorCode } from '#shared/contract/errors.ts';
import type { ErrorSentences } from './error-sentences.ts';

export type ErrorAnswer = { readonly status: number; readonly body: ErrorBody };

/** What the framework refuses before a handler runs, by the status it proposes. */
const CODE_OF_FRAMEWORK_STATUS: Readonly<Record<number, ErrorCode>> = {
  413: 'body-too-large',
  415: 'unsupported-media-type',
};

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

export const toErrorAnswer = (error: unknown, sentences: ErrorSentences): ErrorAnswer => {
  const code = codeOf(error);
  const retryAfterMs = error instanceof AppError ? error.retryAfterMs : undefined;
  const body: ErrorBody = { error: sentences[code], code };
  if (retryAfterMs !== undefined) body.retry_after = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return { status: ERRORS[code].status, body };
};

/** Passes a failure on once its code is told. */
export const tellCode =
  (tell: (code: ErrorCode) => void) =>
  (error: unknown): never => {
    tell(codeOf(error));
    throw error;
  };

const codeOf = (error: unknown): ErrorCode => {
  if (error instanceof AppError) return error.code;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const refused = status >= 400 && status <= 499;
  return refused ? (CODE_OF_FRAMEWORK_STATUS[status] ?? 'bad-request') : 'internal';
};
