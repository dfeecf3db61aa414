import type { CommandContext } from '../command.ts';
import type { SiteBackups } from './verify-backup.ts';

/** Backups of wherever the records are. */
export const openSiteBackups = async (context: CommandContext): Promise<SiteBackups> => {
  const { databaseUrl } = context.config;
  if (databaseUrl === null) return (await import('./file-backups.ts')).createFileBackups(context);
  const { createDumpBackups } = await import('./dump-backups.ts');
  return createDumpBackups(context, databaseUrl.reveal());
};
