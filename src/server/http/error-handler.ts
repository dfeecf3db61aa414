import { AppError } from '#server/app-error.ts';
import type { ErrorBody, ErrorCode } from '#shared/contract/errors.ts';
import type { ErrorSentences } from './error-sentences.ts';

export type ErrorAnswer = { readonly status: number; readonly body: ErrorBody };

export const STATUS_OF_CODE = {
  'bad-request': 400,
  'body-too-large': 413,
  'captcha-unavailable': 503,
  'cross-site': 403,
  'donation-proof-missing': 400,
  'donations-paused': 503,
  'id-future': 400,
  'id-malformed': 400,
  'id-missing': 400,
  'id-too-large': 400,
  'id-zero': 400,
  internal: 500,
  'method-not-allowed': 405,
  'not-found': 404,
  overloaded: 503,
  'platform-failed': 502,
  'platform-paused': 503,
  'platform-timeout': 504,
  'pool-busy': 503,
  'pool-empty': 503,
  'proof-expired': 403,
  'proof-invalid': 403,
  'proof-missing': 400,
  'proof-used': 403,
  'storage-failed': 503,
  'token-in-servers': 409,
  'token-known': 409,
  'token-malformed': 422,
  'token-missing': 400,
  'token-rejected': 422,
  'token-user': 422,
  'unsupported-media-type': 415,
  'visitor-limit': 429,
  'withdrawal-malformed': 422,
  'withdrawal-missing': 400,
} as const satisfies Record<ErrorCode, number>;

/** What the framework refuses before a handler runs, by the status it proposes. */
const CODE_OF_FRAMEWORK_STATUS: Readonly<Record<number, ErrorCode>> = {
  413: 'body-too-large',
  415: 'unsupported-media-type',
};

export const ERROR_CODES = Object.keys(STATUS_OF_CODE) as readonly ErrorCode[];

export const toErrorAnswer = (error: unknown, sentences: ErrorSentences): ErrorAnswer => {
  const code = codeOf(error);
  const retryAfterMs = error instanceof AppError ? error.retryAfterMs : undefined;
  const body: ErrorBody = { error: sentences[code], code };
  if (retryAfterMs !== undefined) body.retry_after = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return { status: STATUS_OF_CODE[code], body };
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
