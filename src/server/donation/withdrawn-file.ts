import { readFileSync, statSync } from 'node:fs';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { appendToFile } from '#server/storage/durable-file.ts';
import type { WithdrawnListRow } from '#server/storage/schema.ts';
import { DECOY_ID } from '#server/vault/donated-token-store.ts';

export type ListName = Pick<WithdrawnListRow, 'id' | 'name'>;

/** Withdrawals of what was never there leave empty lines and the decoy's id; a crash may have torn a line. */
const ROW_ID = /^[\da-f-]{36}$/;
/** `list`: this one, in its first such line. `other`: one that another machine is known to keep. */
const NAMED_LIST = /^(list|other) ([\da-f-]{36}) (\S+)$/;

/** Refuses a list that cannot be read: taken for empty, it would revive what was withdrawn. */
export const openWithdrawnFile = (path: string) => {
  const rowIds = new Set<string>();
  const others = new Map<string, string>();
  let own: ListName | undefined;
  let size = -1;

  const take = (line: string): void => {
    if (ROW_ID.test(line) && line !== DECOY_ID) rowIds.add(line);
    const [, kind, id = '', name = ''] = NAMED_LIST.exec(line) ?? [];
    if (kind === 'list') own ??= { id, name };
    if (kind === 'other') others.set(id, name);
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
    own: (): ListName | undefined => own,
    begin: ({ id, name }: ListName): Promise<void> => append([`list ${id} ${name}`]),
    others: (): readonly ListName[] => [...others].map(([id, name]) => ({ id, name })),
    remember: async (lists: readonly ListName[]): Promise<void> => {
      const unknown = lists.filter(({ id }) => id !== own?.id && !others.has(id));
      if (unknown.length > 0) await append(unknown.map(({ id, name }) => `other ${id} ${name}`));
    },
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
