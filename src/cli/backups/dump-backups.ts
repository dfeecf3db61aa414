import { closeSync, openSync, readSync } from 'node:fs';
import { createNodeStore } from '#server/nodes/node-store.ts';
import { describeRecords, inspectRecords } from '#server/open-records.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { createSecret } from '#server/platform/bot-token.ts';
import { createClientPrograms, type ClientPrograms } from '#server/storage/postgres/client-programs.ts';
import { inspectPostgres, patiently } from '#server/storage/postgres/postgres-database.ts';
import { noRecordsAt } from '#server/storage/postgres/refusals.ts';
import { replaceDatabase, withScratchDatabase } from '#server/storage/postgres/scratch-database.ts';
import { badInput, type CommandContext } from '../command.ts';
import { orRefuse } from '../file-errors.ts';
import { damaged, noSuchFile, openCopy, versionOf, type SiteBackups } from './verify-backup.ts';

/** Backups of the records in PostgreSQL, made with its own programs. A copy is a database beside the site's. */
export const createDumpBackups = (context: CommandContext, url: string): SiteBackups => {
  const { config, system } = context;
  const programs = createClientPrograms(context.searchPath);
  const isThere = async (): Promise<boolean> => (await inspectRecords(config)).kind !== 'absent';
  return {
    ending: 'dump',
    copyTo: async (path) => {
      if (!(await isThere())) throw noRecordsAt(url);
      await programs.dump(url, path);
    },
    withVerified: async (file, use) => {
      await refuseDamaged(programs, file);
      return withScratchDatabase(url, system, async (scratchUrl) => {
        await programs.restore(scratchUrl, file);
        const version = versionOf(await inspectPostgres(scratchUrl));
        const contents = await openCopy(context, { databaseUrl: createSecret(scratchUrl) }, version);
        return use({
          contents,
          putInPlace: () => replaceDatabase(url, scratchUrl, system.clock.wallMs()),
        });
      });
    },
    lockOutServers: async () => {
      if (await isThere()) await refuseBesideServers(url);
      return null;
    },
    present: async () => ((await isThere()) ? [`The records ${describeRecords(config)}`] : []),
  };
};

const SQLITE = 'SQLite format 3';
const DUMP = 'PGDMP';

const refuseDamaged = async (programs: ClientPrograms, file: string): Promise<void> => {
  const start = orRefuse(noSuchFile(file), () => readStart(file, SQLITE.length));
  if (start === SQLITE)
    throw badInput(
      'The file is a backup of SQLite, but the records are in PostgreSQL',
      'restore it without DATABASE_URL, then bring it there with ops move-records.',
    );
  if (!start.startsWith(DUMP)) throw damaged();
  try {
    await programs.check(file);
  } catch (error) {
    throw error instanceof OperatorError && error.exitCode === EXIT.failed ? damaged() : error;
  }
};

const readStart = (file: string, length: number): string => {
  const opened = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.toString('latin1', 0, readSync(opened, bytes));
  } finally {
    closeSync(opened);
  }
};

/** Works even if the records have a version that this program does not open. */
const refuseBesideServers = async (url: string): Promise<void> => {
  const live = await patiently(url, (database) => createNodeStore(database).live());
  if (live.length > 0)
    throw new OperatorError(
      EXIT.serverRunning,
      `Servers are running on these records (${live.map(({ name }) => name).join(', ')})`,
      'stop all of them; one that was killed counts for ten seconds.',
    );
};
