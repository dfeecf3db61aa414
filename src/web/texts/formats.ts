import { localeOf, type Language } from '#shared/languages.ts';
import { spanBetween, type TimeUnit } from './age.ts';

const DAY = { dateStyle: 'long', timeZone: 'UTC' } as const;
const EXACT = { dateStyle: 'long', timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' } as const;

type Period = readonly [fromMs: number, toMs: number];
/** `Intl` has no words for it. */
type ShortestSpan = { readonly lessThanMinute: string };

/** What editors of a language expect and `Intl` does not know. */
const CORRECTIONS: Partial<Record<Language, readonly [RegExp, string]>> = {
  // The first of a month is an ordinal.
  fr: [/(?<!\S)1(?= \p{L})/u, '1er'],
  'pt-br': [/(?<!\S)1(?= de )/, '1º'],
  // One would be “a la 1:07:17”.
  es: [/(?<!\d)\d(?=:\d\d:)/, '0$&'],
  // A short word belongs to its neighbour.
  ar: [/(?<= في) /, '\u00A0'],
  ru: [/ (?=г\.)|(?<= в) /g, '\u00A0'],
  uk: [/ (?=р\.)|(?<= о) /g, '\u00A0'],
};

/** Without a conjunction, which could be taken for one of the things. */
const COMMAS: Partial<Record<Language, string>> = { ar: '، ', ja: '、', zh: '、' };

// Creating one takes a browser milliseconds.
const made = new Map<string, unknown>();

export const formatsOf = (language: Language) => {
  const locale = localeOf(language);
  const format = <Format, const Options extends object>(
    Kind: new (locale: string, options?: Options) => Format,
    options?: Options,
  ): Format => {
    const key = JSON.stringify([locale, Kind.name, options]);
    if (!made.has(key)) made.set(key, new Kind(locale, options));
    return made.get(key) as Format;
  };
  const date = (ms: number, options: Intl.DateTimeFormatOptions): string => {
    const words = format(Intl.DateTimeFormat, options).format(ms);
    const correction = CORRECTIONS[language];
    return correction ? words.replace(...correction) : words;
  };
  const amount = (number: number, unit: TimeUnit): string =>
    format(Intl.NumberFormat, { style: 'unit', unit, unitDisplay: 'long' })
      .format(number)
      .replaceAll(' ', '\u00A0');
  // `Intl` puts spaces into Japanese, which has none.
  const unspaced = (words: string): string => (language === 'ja' ? words.replaceAll(/\s/g, '') : words);
  const relative = (value: number, unit: Intl.RelativeTimeFormatUnit): string =>
    unspaced(format(Intl.RelativeTimeFormat).format(value, unit));

  return {
    date,
    day: (ms: number): string => date(ms, DAY),
    utc: (ms: number): string => `${date(ms, EXACT)}\u00A0UTC`,
    count: (number: number): string => format(Intl.NumberFormat).format(number),
    seconds: (ms: number): string =>
      format(Intl.NumberFormat, { maximumSignificantDigits: 2 }).format(Math.max(1, ms) / 1_000),
    /** `2 years, 3 months`. */
    span: ([fromMs, toMs]: Period, { lessThanMinute }: ShortestSpan): string =>
      unspaced(
        format(Intl.ListFormat, { type: 'unit' }).format(
          spanBetween(fromMs, toMs).map(([number, unit]) => amount(number, unit)),
        ),
      ) || lessThanMinute,
    relative,
    /** `8 years ago`, in the largest unit. */
    ago: ([fromMs, toMs]: Period, { justNow }: { readonly justNow: string }): string => {
      const [largest] = spanBetween(fromMs, toMs);
      return largest ? relative(-largest[0], largest[1]) : justNow;
    },
    today: (): string => format(Intl.RelativeTimeFormat, { numeric: 'auto' }).format(0, 'day'),
    list: (items: readonly string[]): string => items.join(COMMAS[language] ?? ', '),
  };
};

export type Formats = ReturnType<typeof formatsOf>;
