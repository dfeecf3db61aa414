import type { OperatorError } from '#server/operator-error.ts';

/** True if the file system refused; anything else is a defect of ours. */
const isFileError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

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
