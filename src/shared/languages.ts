type LanguageFacts = {
  readonly name: string;
  readonly tag: string;
  /** For dates and numbers, if the tag alone would give the wrong format. */
  readonly locale?: string;
  readonly rightToLeft?: true;
};

/** By the first part of the paths of their pages, which English pages lack. */
export const LANGUAGES = {
  en: { name: 'English', tag: 'en', locale: 'en-GB' },
  de: { name: 'Deutsch', tag: 'de' },
  fr: { name: 'Français', tag: 'fr' },
  es: { name: 'Español', tag: 'es' },
  'pt-br': { name: 'Português (Brasil)', tag: 'pt-BR' },
  pl: { name: 'Polski', tag: 'pl' },
  tr: { name: 'Türkçe', tag: 'tr' },
  uk: { name: 'Українська', tag: 'uk' },
  ru: { name: 'Русский', tag: 'ru' },
  ja: { name: '日本語', tag: 'ja' },
  ko: { name: '한국어', tag: 'ko' },
  zh: { name: '简体中文', tag: 'zh-Hans' },
  // IDs have Latin digits, so all other numbers have them too.
  ar: { name: 'العربية', tag: 'ar', locale: 'ar-u-nu-latn', rightToLeft: true },
} as const satisfies Readonly<Record<string, LanguageFacts>>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[];

export const factsOf = (language: Language): LanguageFacts => LANGUAGES[language];

export const directionOf = (language: Language): 'ltr' | 'rtl' =>
  factsOf(language).rightToLeft ? 'rtl' : 'ltr';

export const localeOf = (language: Language): string => factsOf(language).locale ?? factsOf(language).tag;

export const localPath = (path: string, language: Language): string => {
  if (language === 'en') return path;
  return `/${language}${path.replace(/^\/(?=$|[?#])/, '')}`;
};

export const splitPath = (path: string): { readonly language: Language; readonly path: string } => {
  const first = path.split('/', 2)[1] ?? '';
  if (first === 'en' || !Object.hasOwn(LANGUAGES, first)) return { language: 'en', path };
  return { language: first as Language, path: path.slice(first.length + 1) || '/' };
};
