import { AppError } from '#server/app-error.ts';
import { join } from 'node:path';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { failed } from './command.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What the operator is told of whatever ended a command. */
export const asOperatorError = async (error: unknown): Promise<OperatorError> => {
  if (error instanceof OperatorError) return error;
  if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_MODULE_NOT_FOUND')
    return new OperatorError(
      EXIT.notInstalled,
      `Part of this program in ${ROOT} is missing, or this user may not read it`,
      'check its owner and permissions, or run npm ci && npx vite build && npx vite build --ssr there.',
    );
  const { isStorageFault, StorageFault } = await import('#server/storage/storage-fault.ts');
  if (error instanceof StorageFault)
    return failed(
      `PostgreSQL failed (${error.code})`,
      'check that it is running and can be reached, and its log; nothing was written.',
    );
  if (isStorageFault(error))
    return failed('The data could not be read or written', 'check the disk and the owner of DATA_DIR.');
  const what = error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
  return failed(`Unexpected internal error (${what}).`);
};
