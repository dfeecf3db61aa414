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

/** True if the database or the disk failed, and not the program: trying again later may help. */
export const isStorageFault = (error: unknown): boolean =>
  error instanceof OperatorError ||
  error instanceof StorageFault ||
  (error instanceof Error && ('errcode' in error || 'syscall' in error));
