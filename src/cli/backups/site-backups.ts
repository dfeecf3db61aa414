import { badInput, type CommandContext } from '../command.ts';
import { createFileBackups } from './file-backups.ts';
import type { SiteBackups } from './verify-backup.ts';

/** PostgreSQL has programs of its own for that. */
export const openSiteBackups = (context: CommandContext): SiteBackups => {
  if (context.config.databaseUrl === null) return createFileBackups(context);
  throw badInput(
    'ops copies the database of one machine; this one is in PostgreSQL',
    'use pg_dump and pg_restore, see "With PostgreSQL" in docs/backup.md.',
  );
};
