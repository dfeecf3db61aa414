import { OperatorError } from '#server/operator-error.ts';

/** PostgreSQL refused something, or could not be asked. Says no more than a code: messages quote what was sent. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault';
  /** The SQLSTATE, or that of the network's error. */
  readonly code: string;

  constructor(code: string) {
    super(`PostgreSQL: ${code}`);
    this.code = code;
  }
}

const SQLITE_FULL = 13;
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** The disk is full: the system, SQLite or PostgreSQL says so. */
export const isDiskFull = (error: unknown): boolean => {
  const { code, errcode } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: unknown };
  return (typeof code === 'string' && NO_SPACE.has(code)) || (Number(errcode) & 0xff) === SQLITE_FULL;
};

/** True if the database or the disk failed, and not the program: trying again later may help. */
export const isStorageFault = (error: unknown): boolean =>
  error instanceof OperatorError ||
  error instanceof StorageFault ||
  (error instanceof Error && ('errcode' in error || 'syscall' in error));
