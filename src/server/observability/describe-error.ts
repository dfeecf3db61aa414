export type ErrorDescription = {
  readonly name: string;
  readonly code?: unknown;
  readonly frames: readonly string[];
};

/** Name, code and stack frames only: a message may quote what a visitor sent, or a secret. */
export const describeError = (error: unknown): ErrorDescription => {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const { errcode, code = errcode } = error as Error & { code?: string; errcode?: number };
  return { name: error.name, code, frames: frames.map((line) => line.trim()) };
};
