import { localeOf, type Language } from '#shared/languages.ts';
import { spanBetween, type TimeUnit } from './age.ts';
import type { PluralForms } from './translation.ts';

const DAY = { dateStyle: 'long', timeZone: 'UTC' } as const;
const EXACT = { dateStyle: 'long', timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' } as const;

type Period = readonly [fromMs: number, toMs: number];
/** `Intl` has no words for it. */
type ShortestSpan = { readonly lessThanMinute: string };

/** Dates and numbers as the page's language writes them, whatever the browser's language is. */
export const createFormats = (language: Language) => {
  const locale = localeOf(language);
  // Creating a format takes a browser milliseconds.
  const kept = new Map<string, unknown>();
  const keep = <Format>(key: string, make: () => Format): Format => {
    const format = (kept.get(key) ?? make()) as Format;
    kept.set(key, format);
    return format;
  };
  const date = (ms: number, options: Intl.DateTimeFormatOptions): string =>
    keep(JSON.stringify(options), () => new Intl.DateTimeFormat(locale, options)).format(ms);
  const count = (number: number): string =>
    keep('number', () => new Intl.NumberFormat(locale)).format(number);
  const amount = (number: number, unit: TimeUnit): string =>
    keep(unit, () => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })).format(
      number,
    );

  return {
    date,
    /** `4 May 2018`. */
    day: (ms: number): string => date(ms, DAY),
    /** `4 May 2018 at 16:20:17 UTC`. */
    utc: (ms: number): string => `${date(ms, EXACT)} UTC`,
    count,
    /** `0.24`: as exact as anybody wants to know. */
    seconds: (ms: number): string =>
      keep('seconds', () => new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 })).format(
        Math.max(1, ms) / 1_000,
      ),
    /** `2 years, 3 months`, or only the first part of it. */
    span: ([fromMs, toMs]: Period, { lessThanMinute }: ShortestSpan, parts = 2): string =>
      keep('list', () => new Intl.ListFormat(locale, { type: 'unit' })).format(
        spanBetween(fromMs, toMs)
          .slice(0, parts)
          .map(([number, unit]) => amount(number, unit)),
      ) || lessThanMinute,
    /** `in 5 minutes`, `5 minutes ago`. */
    relative: (value: number, unit: Intl.RelativeTimeFormatUnit): string =>
      keep('relative', () => new Intl.RelativeTimeFormat(locale)).format(value, unit),
    /** The form of a text that belongs to a number. */
    plural: (forms: PluralForms, number: number): string =>
      forms[keep('plural', () => new Intl.PluralRules(locale)).select(number)] ?? forms.other,
    /** The name of a script by its code of four letters. */
    script: (code: string): string =>
      keep('script', () => new Intl.DisplayNames(locale, { type: 'script' })).of(code) ?? code,
  };
};

export type Formats = ReturnType<typeof createFormats>;

const known = new Map<Language, Formats>();

export const formatsOf = (language: Language): Formats => {
  const formats = known.get(language) ?? createFormats(language);
  known.set(language, formats);
  return formats;
};
