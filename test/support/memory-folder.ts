import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { env, getuid, pid } from 'node:process';

const MEMORY = '/dev/shm';
const MOUNTS = '/proc/mounts';
const OURS = /^whoflake-tests-(\d+)$/;
const LEAST_BYTES = 2 * 1024 ** 3;

const hasMemory = (): boolean => {
  if (!existsSync(MOUNTS) || !existsSync(MEMORY)) return false;
  const [, options = 'noexec'] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync(MOUNTS, 'utf8')) ?? [];
  const { bavail, bsize } = statfsSync(MEMORY);
  return options.startsWith('rw') && !options.split(',').includes('noexec') && bavail * bsize > LEAST_BYTES;
};

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** A run that was killed could not remove its own, and it takes memory. */
const removeLeftovers = (): void => {
  for (const name of readdirSync(MEMORY)) {
    const [, owner] = OURS.exec(name) ?? [];
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue;
    if (statSync(join(MEMORY, name)).uid === getuid?.()) remove(join(MEMORY, name));
  }
};

/**
 * Keeps everything that tests write in memory: on a disk that others use too, each of them would wait. What must reach
 * the disk is tested by `npm run assurance`, which watches the system calls.
 */
export const setup = (): (() => void) | undefined => {
  if (!hasMemory()) return undefined;
  removeLeftovers();
  const folder = join(MEMORY, `whoflake-tests-${pid}`);
  remove(folder);
  // Some of the programs run as `nobody`.
  mkdirSync(folder, { mode: 0o755 });
  env['TMPDIR'] = folder;
  return () => remove(folder);
};
