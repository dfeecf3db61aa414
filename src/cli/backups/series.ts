import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LastBackup } from '#server/storage/last-backup.ts';
import { describeDuration } from '../output.ts';

const NAME = /^whoflake-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite$/;
/** What a backup that was killed leaves behind. */
export const DRAFT = /^whoflake-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite\.new-\w{6}$/;

export const seriesName = (wallMs: number): string =>
  `whoflake-${new Date(wallMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z.sqlite`;

/** Never touches a file with another name, nor the one just made, even if the clock was wrong before. */
export const pruneSeries = (folder: string, keep: number, made: string): string[] => {
  const others = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && NAME.test(entry.name) && entry.name !== made)
    .map(({ name }) => name)
    .toSorted();
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  for (const name of old) rmSync(join(folder, name));
  return old;
};

export const describeAge = ({ at }: LastBackup, nowMs: number): string =>
  describeDuration(nowMs - Date.parse(at));
