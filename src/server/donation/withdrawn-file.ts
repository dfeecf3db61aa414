import { readFileSync } from 'node:fs';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { appendToFile } from '#server/storage/durable-file.ts';

/** The ids of rows whose donor has taken the token back. Outside the database, so that restoring it revives none. */
export type WithdrawnList = {
  readonly has: (rowId: string) => boolean;
  /** On disk, name included, when it returns. */
  readonly add: (rowId: string) => void;
};

/** Refuses a list that is there and cannot be read: taken for empty, it would revive what was withdrawn. */
export const openWithdrawnFile = (path: string): WithdrawnList => {
  const withdrawn = new Set(readLines(path));
  return {
    has: (rowId) => withdrawn.has(rowId),
    add: (rowId) => {
      // The line break before it ends a line that a full disk or a crash has torn.
      appendToFile(path, `\n${rowId}\n`);
      withdrawn.add(rowId);
    },
  };
};

const readLines = (path: string): string[] => {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new OperatorError(
      EXIT.withdrawnUnreadable,
      `The list of withdrawn tokens ${path} cannot be read`,
      'check its owner and the disk.',
    );
  }
};
