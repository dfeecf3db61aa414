import { readFileSync, statSync } from 'node:fs';
import { nullOnFileError } from '#server/storage/storage-fault.ts';

/** Null if it does not exist or is hidden from this user. */
export const ownerOf = (path: string): { readonly uid: number; readonly name: string } | null => {
  const uid = nullOnFileError(() => statSync(path).uid);
  if (uid === null) return null;
  const users = nullOnFileError(() => readFileSync('/etc/passwd', 'utf8').split('\n')) ?? [];
  const user = users.find((line) => line.split(':')[2] === String(uid));
  return { uid, name: user?.split(':')[0] ?? String(uid) };
};
