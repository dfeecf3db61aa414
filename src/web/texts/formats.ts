import { localeOf, type Language } from '#shared/languages.ts';
import { spanBetween, type TimeUnit } from './age.ts';
import type { PluralForms } from './translation.ts';

const DAY = { dateStyle: 'long', timeZone: 'UTC' } as const;
const EXACT = { dateStyle: 'long', timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' } as const;

type Period = readonly [fromMs: number, toMs: number];
/** `Intl` has no words for it. */
type ShortestSpan = { readonly lessThanMinute: string };

export const createFormats = (language: Language) => {
  const locale = localeOf(language);
  // Creating a format takes a browser milliseconds.
  const kept = new Map<string, unknown>();
  const keep = <Format>(key: string, make: () => Format): Format => {
    const format = (kept.get(key) ?? make()) as Format;
    kept.set(key, format);
    return format;
  };
  const date = (ms: number, options: Intl.DateTimeFormatOptions): string => {
    const words = keep(JSON.stringify(options), () => new Intl.DateTimeFormat(locale, options)).format(ms);
    // The first of a month is an ordinal in French, which `Intl` does not know.
    return language === 'fr' ? words.replace(/(?<!\S)1(?= \p{L})/u, '1er') : words;
  };
  const count = (number: number): string =>
    keep('number', () => new Intl.NumberFormat(locale)).format(number);
  const amount = (number: number, unit: TimeUnit): string =>
    keep(unit, () => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })).format(
      number,
    );

  const relative = (value: number, unit: Intl.RelativeTimeFormatUnit): string =>
    keep('relative', () => new Intl.RelativeTimeFormat(locale)).format(value, unit);

  return {
    date,
    day: (ms: number): string => date(ms, DAY),
    utc: (ms: number): string => `${date(ms, EXACT)} UTC`,
    count,
    seconds: (ms: number): string =>
      keep('seconds', () => new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 })).format(
        Math.max(1, ms) / 1_000,
      ),
    /** `2 years, 3 months`. */
    span: ([fromMs, toMs]: Period, { lessThanMinute }: ShortestSpan): string =>
      keep('list', () => new Intl.ListFormat(locale, { type: 'unit' })).format(
        spanBetween(fromMs, toMs).map(([number, unit]) => amount(number, unit)),
      ) || lessThanMinute,
    relative,
    /** `8 years ago`, in the largest unit. */
    ago: ([fromMs, toMs]: Period, { justNow }: { readonly justNow: string }): string => {
      const [largest] = spanBetween(fromMs, toMs);
      return largest ? relative(-largest[0], largest[1]) : justNow;
    },
    today: (): string =>
      keep('today', () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })).format(0, 'day'),
    plural: (forms: PluralForms, number: number): string =>
      forms[keep('plural', () => new Intl.PluralRules(locale)).select(number)] ?? forms.other,
    list: (items: readonly string[]): string =>
      keep('items', () => new Intl.ListFormat(locale, { style: 'narrow' })).format(items),
  };
};

export type Formats = ReturnType<typeof createFormats>;

const known = new Map<Language, Formats>();

export const formatsOf = (language: Language): Formats => {
  const formats = known.get(language) ?? createFormats(language);
  known.set(language, formats);
  return formats;
};
