import { fill } from '#shared/fill.ts';
import { LANGUAGES, type Language } from '#shared/languages.ts';
import { texts as arabic } from '#web/texts/languages/ar.ts';
import { texts as german } from '#web/texts/languages/de.ts';
import { texts as japanese } from '#web/texts/languages/ja.ts';
import type { Translation } from '#web/texts/translation.ts';

export type JourneyLanguage = {
  readonly code: Language;
  readonly texts: Translation;
  readonly title: string;
  readonly fieldLabel: string;
  /** When the ordinary profile was created. */
  readonly day: string;
  /** What is chosen on the way. */
  readonly next: { readonly code: Language; readonly name: string; readonly texts: Translation };
};

const SETTINGS = { brandName: 'Whoflake', platformName: 'Discord' };

const journey = (code: Language, texts: Translation, day: string): Omit<JourneyLanguage, 'next'> => ({
  code,
  texts,
  day,
  title: fill(texts.head.siteTitle, SETTINGS),
  fieldLabel: fill(texts.lookup.fieldLabel, SETTINGS),
});

const to = (code: Language, texts: Translation): JourneyLanguage['next'] => ({
  code,
  texts,
  name: LANGUAGES[code].name,
});

/** One with long words, one that is written from right to left, and one without spaces. */
export const JOURNEY_LANGUAGES: readonly JourneyLanguage[] = [
  { ...journey('de', german, '4. Mai 2018'), next: to('ar', arabic) },
  { ...journey('ar', arabic, '4 مايو 2018'), next: to('ja', japanese) },
  { ...journey('ja', japanese, '2018年5月4日'), next: to('de', german) },
];
