import { AppError } from '#server/app-error.ts';

export const AT_ONCE = 80;
const AT_ONCE_PER_VISITOR = 20;
const RETRY_MS = 1_000;

/** Counts the pictures in transfer: a visitor who reads slowly must not keep others from theirs. */
export const createTransfers = () => {
  const byVisitor = new Map<string, number>();
  let total = 0;
  return {
    /** Returns what ends it. */
    begin: (visitor: string): (() => void) => {
      const own = byVisitor.get(visitor) ?? 0;
      if (total >= AT_ONCE || own >= AT_ONCE_PER_VISITOR)
        throw new AppError('pictures-busy', { retryAfterMs: RETRY_MS });
      total += 1;
      byVisitor.set(visitor, own + 1);
      return () => {
        total -= 1;
        const left = (byVisitor.get(visitor) ?? 0) - 1;
        if (left === 0) byVisitor.delete(visitor);
        else byVisitor.set(visitor, left);
      };
    },
  };
};
