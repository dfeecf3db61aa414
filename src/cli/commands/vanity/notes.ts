import { visible } from '../../output.ts';

export const MAX_DONOR = 200;
export const isDonor = (text: string): boolean => text.length <= MAX_DONOR && visible(text) === text;
export const isAmount = (text: string): boolean => /^\d{1,6}(?:\.\d{1,2})?$/.test(text);
export const isDay = (text: string): boolean => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
};
