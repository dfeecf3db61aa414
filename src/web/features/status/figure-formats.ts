import type { Formats } from '../../texts/formats.ts';

export const timeOfDay = (iso: string): string => iso.slice('2026-11-17T'.length, -':00.000Z'.length);

const STEP_SECONDS = 10;

export const agoInWords = ({ relative }: Formats, seconds: number): string | undefined => {
  if (seconds < STEP_SECONDS) return undefined;
  if (seconds < 60) return relative(-Math.floor(seconds / STEP_SECONDS) * STEP_SECONDS, 'second');
  if (seconds < 3_600) return relative(-Math.floor(seconds / 60), 'minute');
  return relative(-Math.floor(seconds / 3_600), 'hour');
};
