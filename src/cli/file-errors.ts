import { isDiskFull } from '#server/app-error.ts';
import { readFileSync, statSync } from 'node:fs';
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

/** Who a file or folder belongs to; null if it does not exist or is hidden from this user. */
export const ownerOf = (path: string): { readonly uid: number; readonly name: string } | null => {
  const uid = orNull(() => statSync(path).uid);
  if (uid === null) return null;
  const users = orNull(() => readFileSync('/etc/passwd', 'utf8').split('\n')) ?? [];
  const user = users.find((line) => line.split(':')[2] === String(uid));
  return { uid, name: user?.split(':')[0] ?? String(uid) };
};
