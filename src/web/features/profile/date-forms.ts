import type { Formats } from '../../texts/formats.ts';
import type { Texts } from '../../texts/translation.ts';

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

type DateTexts = { readonly card: Texts['card']; readonly ui: Texts['ui'] };

/** What can be copied, and what people see of it. */
export const dateForms = (iso: string, { card, ui }: DateTexts, formats: Formats) => {
  const ms = Date.parse(iso);
  return [
    ...STYLES.map(([letter, options]) => ({
      text: platformDate(iso, letter),
      seen: formats.date(ms, options),
    })),
    { text: platformDate(iso, 'R'), seen: formats.ago([ms, Date.now()], ui) },
    { text: String(Math.floor(ms / 1_000)), seen: card.dateForms.unix },
    { text: new Date(ms).toISOString().replace(/\.\d+/, ''), seen: card.dateForms.iso },
  ];
};
