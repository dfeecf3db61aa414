import type { Formats } from '../../texts/formats.ts';

const CLOCK = { timeStyle: 'short', hourCycle: 'h23' } as const;
const EXACT_CLOCK = { timeStyle: 'medium', hourCycle: 'h23' } as const;

/** How the platform shows a moment, by the letter at the end of its code: to everybody in their own time. */
const STYLES: readonly (readonly [letter: string, options: Intl.DateTimeFormatOptions])[] = [
  ['d', { dateStyle: 'short' }],
  ['D', { dateStyle: 'long' }],
  ['t', CLOCK],
  ['T', EXACT_CLOCK],
  ['f', { dateStyle: 'long', ...CLOCK }],
  ['F', { dateStyle: 'full', ...CLOCK }],
];

export const platformDate = (iso: string, letter: string): string =>
  `<t:${Math.floor(Date.parse(iso) / 1_000)}:${letter}>`;

export type DateForm = { readonly text: string; readonly seen: string };

export const platformDates = (iso: string, ago: string, { date }: Formats): readonly DateForm[] => [
  ...STYLES.map(([letter, options]) => ({
    text: platformDate(iso, letter),
    seen: date(Date.parse(iso), options),
  })),
  { text: platformDate(iso, 'R'), seen: ago },
];

export const unixTime = (iso: string): string => String(Math.floor(Date.parse(iso) / 1_000));
export const isoTime = (iso: string): string => new Date(iso).toISOString().replace(/\.\d+/, '');
