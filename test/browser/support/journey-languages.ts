import { fill } from '#shared/fill.ts';
import { LANGUAGES, type Language } from '#shared/languages.ts';
import arabic from '#texts/ar.json' with { type: 'json' };
import german from '#texts/de.json' with { type: 'json' };
import japanese from '#texts/ja.json' with { type: 'json' };
import type { Translation } from '#web/texts/translation.ts';

type Translated = Omit<Translation, '//'>;

type JourneyLanguage = {
  readonly code: Language;
  readonly name: string;
  readonly texts: Translated;
  readonly title: string;
  readonly fieldLabel: string;
  /** When the ordinary profile was created. */
  readonly day: string;
};

const SETTINGS = { brandName: 'Whoflake', platformName: 'Discord' };

const journey = (code: Language, texts: Translated, day: string): JourneyLanguage => ({
  code,
  name: LANGUAGES[code].name,
  texts,
  day,
  title: fill(texts.head.siteTitle, SETTINGS),
  fieldLabel: fill(texts.lookup.fieldLabel, SETTINGS),
});

/** One with long words, one that is written from right to left, and one without spaces. */
export const JOURNEY_LANGUAGES = [
  journey('de', german, '4. Mai 2018'),
  journey('ar', arabic, '4 مايو 2018'),
  journey('ja', japanese, '2018年5月4日'),
] as const;
