import { readFileSync, statSync } from 'node:fs';

/** As the machine calls a user; the number where it has no name. */
const nameOfUser = (uid: number): string => {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((one) => one.split(':')[2] === String(uid));
    return line?.split(':')[0] ?? String(uid);
  } catch {
    return String(uid);
  }
};

/** Who a file or folder belongs to; null if it is not there, or not to be seen. */
export const ownerOf = (path: string): { readonly uid: number; readonly name: string } | null => {
  try {
    const { uid } = statSync(path);
    return { uid, name: nameOfUser(uid) };
  } catch {
    return null;
  }
};
