import type { LastBackup } from '#server/storage/last-backup.ts';
import { plural } from '../output.ts';

const HOUR_MS = 3_600_000;

/** In whole hours; in days from two days on. */
export const describeAge = ({ at }: LastBackup, nowMs: number): string => {
  const hours = Math.max(0, Math.floor((nowMs - Date.parse(at)) / HOUR_MS));
  if (hours === 0) return 'less than an hour';
  return hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
};
