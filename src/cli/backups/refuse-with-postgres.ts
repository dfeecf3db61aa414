import type { Config } from '#server/config.ts';
import { describeRecords } from '#server/open-records.ts';
import { badInput } from '../command.ts';

/** For commands that work on the SQLite file: with PostgreSQL that file is not in use. */
export const refuseWithPostgres = (config: Config, remedy: string): void => {
  if (config.databaseUrl !== null) throw badInput(`The records are ${describeRecords(config)}`, remedy);
};
