import type { Config } from '#server/config.ts';
import { describeRecords } from '#server/open-records.ts';
import { badInput } from '../command.ts';

/** For what is done to a file: with PostgreSQL it would be done to one that nobody uses. */
export const refuseInPostgres = (config: Config, remedy: string): void => {
  if (config.databaseUrl !== null) throw badInput(`The records are ${describeRecords(config)}`, remedy);
};
