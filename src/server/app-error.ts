import type { ErrorCode } from '#shared/contract/errors.ts';

/** A failure that the visitor is told about by code. Never carries a token, an id, a header or a body. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}
