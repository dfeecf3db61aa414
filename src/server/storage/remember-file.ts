import { statSync } from 'node:fs';

/**
 * Tells later whether the path still leads to the file that it leads to now. To be asked while the file is open: then
 * no other can have got its number.
 */
export const rememberFile = (path: string): (() => boolean) => {
  const remembered = identityOf(path);
  return () => identityOf(path) === remembered;
};

const identityOf = (path: string): string | undefined => {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
};
