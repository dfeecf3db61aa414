import { constants } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { inspectDatabase } from '#server/storage/inspect-database.ts';
import { SCHEMA_VERSION } from '#server/storage/migrate.ts';
import { allows } from './access.ts';
import type { Examination } from './examination.ts';

export const OLDER = 'whole, of an older version that the next start brings up to date';

export const examineDatabase = (path: string): Examination => {
  const what = 'database';
  const found = inspectDatabase(path);
  if (found.kind !== 'absent' && !allows(path, constants.R_OK | constants.W_OK))
    return { what, finding: 'is not for this user to open', mend: 'run this as the user of the server.' };
  if (found.kind === 'damaged' && isBusy(path))
    return { what, finding: 'is busy', mend: 'wait until no other program has it open, then look again.' };
  switch (found.kind) {
    case 'absent':
      return { what, finding: 'is not there', mend: 'start the server once, or restore a backup.' };
    case 'damaged':
    case 'foreign':
      return { what, finding: 'is damaged', mend: 'stop the server, move it away and restore a backup.' };
    case 'sound':
      if (found.version > SCHEMA_VERSION)
        return {
          what,
          finding: `is of version ${found.version}`,
          mend: 'run a newer version of this program.',
        };
      return { what, finding: found.version < SCHEMA_VERSION ? OLDER : `whole, version ${found.version}` };
  }
};

const SQLITE_BUSY = 5;

/** Somebody else has locked all of it, so that nothing can be said of what is in it. */
const isBusy = (path: string): boolean => {
  let sqlite: DatabaseSync | undefined;
  try {
    sqlite = new DatabaseSync(path, { readOnly: true });
    sqlite.prepare('select 1 from sqlite_schema').get();
    return false;
  } catch (error) {
    return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
  } finally {
    sqlite?.close();
  }
};
