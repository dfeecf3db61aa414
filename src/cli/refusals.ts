import { resolve } from 'node:path';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { SettingsSource } from './checks/settings.ts';

/** The operator's mistake: nothing was changed. */
export const badInput = (finding: string, remedy?: string): OperatorError =>
  new OperatorError(EXIT.badInput, finding, remedy);

/** The platform's, the disk's or the network's fault. */
export const failed = (finding: string, remedy?: string): OperatorError =>
  new OperatorError(EXIT.failed, finding, remedy);

export const noRecords = (dataDir: string, source: SettingsSource): OperatorError =>
  new OperatorError(
    EXIT.databaseMissing,
    `There is no database in ${resolve(dataDir)} (${describeSource(source)})`,
    'check DATA_DIR, and whether its disk is mounted; a new site begins with ops init, or with the first start of the server.',
  );

export const describeSource = ({ file }: SettingsSource): string =>
  file === null ? 'no settings file found, see --env-file' : `settings from ${file.path}`;
