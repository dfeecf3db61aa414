import { readFileSync, statSync } from 'node:fs';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { appendToFile } from '#server/storage/durable-file.ts';

/** A crash may have torn a line. */
const ROW_ID = /^[\da-f-]{36}$/;
/** Its first such line names it. */
const NAME = /^list ([\da-f-]{36})$/;

/** Refuses a list that cannot be read: taken for empty, it would revive what was withdrawn. */
export const openWithdrawnFile = (path: string) => {
  const rowIds = new Set<string>();
  let name: string | undefined;
  let size = -1;

  const take = (line: string): void => {
    if (ROW_ID.test(line)) rowIds.add(line);
    name ??= NAME.exec(line)?.[1];
  };
  const append = async (lines: readonly string[]): Promise<void> => {
    // The line break before it ends a line that a full disk or a crash has torn.
    await appendToFile(path, `\n${lines.join('\n')}\n`);
    for (const line of lines) take(line);
  };
  const reload = (): void => {
    const now = sizeOf(path);
    if (now === size) return;
    for (const line of readText(path).split('\n')) take(line.trim());
    size = now;
  };
  reload();

  return {
    has: (rowId: string): boolean => rowIds.has(rowId),
    ids: (): readonly string[] => [...rowIds],
    add: append,
    reload,
    name: (): string | undefined => name,
    begin: (id: string): Promise<void> => append([`list ${id}`]),
  };
};

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new OperatorError(
      EXIT.withdrawnUnreadable,
      `The list of withdrawn tokens ${path} cannot be read`,
      'check its owner and the disk.',
    );
  }
};
