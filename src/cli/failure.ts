import { join, resolve } from 'node:path';
import { describeError, isDiskFull, isUnavailable } from '#server/app-error.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { isStorageFault, remedyOfFault, StorageFault } from '#server/storage/storage-fault.ts';
import type { SettingsSource } from './checks/settings.ts';

const ROOT = join(import.meta.dirname, '../..');

type Explanation = {
  readonly error: string;
  readonly frames?: readonly string[];
  readonly exitCode: number;
};

export const explainError = (error: unknown): Explanation => {
  const expected = asOperatorError(error);
  if (expected !== null) return { error: expected.message, exitCode: expected.exitCode };
  // Not its message: that could quote a token or a password.
  const { name, code, frames } = describeError(error);
  return {
    error: `Unexpected internal error (${typeof code === 'string' ? `${name}, ${code}` : name}).`,
    frames: frames
      .filter((frame) => frame.includes(`${ROOT}/`) && !frame.includes('/node_modules/'))
      .map((frame) => frame.replace(`file://${ROOT}/`, '').replace(`${ROOT}/`, '')),
    exitCode: EXIT.failed,
  };
};

/** Null for a defect of ours. */
export const asOperatorError = (error: unknown): OperatorError | null => {
  if (error instanceof OperatorError) return error;
  if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_MODULE_NOT_FOUND')
    return new OperatorError(
      EXIT.notInstalled,
      `Part of this program in ${ROOT} is missing, or this user may not read it`,
      'check its owner and permissions, or run npm ci && npx vite build && npx vite build --ssr there.',
    );
  const fault = isUnavailable(error) ? (error as Error).cause : error;
  if (fault instanceof StorageFault || isUnavailable(error)) {
    const finding = fault instanceof StorageFault ? fault.message : String(fault);
    return new OperatorError(EXIT.databaseUnreachable, finding, remedyOfFault(finding));
  }
  if (isDiskFull(error))
    return new OperatorError(
      EXIT.databaseUnusable,
      'There is no space left on the disk',
      'free up disk space; nothing was half done.',
    );
  return isStorageFault(error)
    ? new OperatorError(
        EXIT.databaseUnusable,
        'The data could not be read or written',
        'check the disk and the owner of DATA_DIR.',
      )
    : null;
};

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
