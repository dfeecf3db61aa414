import { isDiskFull } from '#server/app-error.ts';
import type { OperatorError } from '#server/operator-error.ts';

/** True for an error of the file system; anything else is a bug in Whoflake. */
const isFileError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && !isDiskFull(error);

export const orRefuse = <T>(refusal: OperatorError, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw isFileError(error) ? refusal : error;
  }
};

export const orNull = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch (error) {
    if (isFileError(error)) return null;
    throw error;
  }
};
