import { isDiskFull } from '#server/app-error.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';

/** Says no more than an SQLSTATE or the network's code: messages quote what was sent. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault';
  readonly code: string;

  constructor(code: string) {
    super(`PostgreSQL: ${code}`);
    this.code = code;
  }
}

const SQLITE_CODES = { BUSY: 5, CORRUPT: 11, CANTOPEN: 14, NOTADB: 26 } as const;

/** The lowest byte of SQLite's code is the kind of error, the rest refines that. */
export const isSqliteError = (error: unknown, ...kinds: (keyof typeof SQLITE_CODES)[]): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  kinds.some((kind) => (Number(error.errcode) & 0xff) === SQLITE_CODES[kind]);

export const corrupt = (finding: string): OperatorError =>
  new OperatorError(EXIT.databaseCorrupt, finding, 'move it away and restore a backup.');

export const unusable = (finding: string): OperatorError =>
  new OperatorError(
    EXIT.databaseUnusable,
    finding,
    'check DATA_DIR, its owner and the disk; under systemd, the unit must allow the folder with ReadWritePaths=.',
  );

export const isStorageFault = (error: unknown): boolean =>
  error instanceof OperatorError ||
  error instanceof StorageFault ||
  (error instanceof Error && ('errcode' in error || 'syscall' in error));

/** Classes 22, 23 and 42 are wrong values and wrong syntax: mistakes of ours. */
export const isDefect = (error: unknown): boolean =>
  !isStorageFault(error) || (error instanceof StorageFault && /^(?:22|23|42)/.test(error.code));

const isFileError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && !isDiskFull(error);

export const refuseOnFileError = <T>(refusal: OperatorError, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw isFileError(error) ? refusal : error;
  }
};

export const nullOnFileError = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch (error) {
    if (isFileError(error)) return null;
    throw error;
  }
};
