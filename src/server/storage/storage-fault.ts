/** True if the database or the disk failed, and not the program: trying again later may help. */
export const isStorageFault = (error: unknown): boolean =>
  error instanceof Error && ('errcode' in error || 'syscall' in error);
