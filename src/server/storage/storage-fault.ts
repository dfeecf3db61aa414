import { isDiskFull } from '#server/app-error.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';

const CANNOT_BE_REACHED = 'check that PostgreSQL is running and can be reached, DATABASE_URL, and its log.';

/** By SQLSTATE. */
const FAULTS: Readonly<Record<string, readonly [finding: string, remedy: string]>> = {
  '53100': ['its disk is full', "free up space on the disk of PostgreSQL's data; it goes on by itself."],
  '53200': ['it has no memory left', 'give PostgreSQL more memory, or end what else uses it.'],
  '53300': ['it takes no more connections', 'raise its max_connections, or end what else uses them.'],
  '57014': [
    'it does not finish statements in time',
    'look for a lock in pg_stat_activity, and for a synchronous standby that is gone.',
  ],
  '25006': ['it takes no writes: it is a standby', 'promote it, or set DATABASE_URL to the primary.'],
};

/** Says no more than an SQLSTATE or the network's code: messages quote what was sent. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault';
  readonly code: string;

  constructor(code: string) {
    const [finding] = FAULTS[code] ?? [];
    super(`PostgreSQL: ${finding === undefined ? code : `${finding} (${code})`}`);
    this.code = code;
  }
}

/** For the message of a fault, also one that another process has told. */
export const remedyOfFault = (message: string): string =>
  Object.entries(FAULTS).find(([code]) => message.includes(code))?.[1][1] ?? CANNOT_BE_REACHED;

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
