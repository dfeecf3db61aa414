import type { ErrorCode } from '#shared/contract/errors.ts';

/** The visitor is told the code. It never carries a token, an id, a header or a body. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(code, options);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'store-unavailable';

/** Name, code and stack frames only: a message may quote what a visitor sent, or a secret. */
export const describeError = (error: unknown) => {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const { errcode, code = errcode } = error as Error & { code?: string; errcode?: number };
  return { name: error.name, code, frames: frames.map((line) => line.trim()) };
};

const SQLITE_FULL = 13;
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', '53100']);

export const isDiskFull = (error: unknown): boolean => {
  const { code, errcode } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: unknown };
  return (typeof code === 'string' && NO_SPACE.has(code)) || (Number(errcode) & 0xff) === SQLITE_FULL;
};
