import { fill, type QuotedWord, type SiteValue } from '#shared/fill.ts';
import { localPath, type Language } from '#shared/languages.ts';
import type { SettingOfTexts } from '#shared/page.ts';
import type { Site } from '#shared/site.ts';
import { ID_DIGITS } from '#shared/snowflake.ts';
import type { Section, Texts, Translation } from './translation.ts';

const files = import.meta.glob<Translation>('../../texts/*.json', { eager: true, import: 'default' });

export const translationOf = (language: Language): Translation => {
  const translation = files[`../../texts/${language}.json`];
  if (translation === undefined) throw new Error(`There are no texts in ${language}.`);
  return translation;
};

type Settings = Pick<Site, SettingOfTexts>;

const siteValues = (site: Settings, language: Language): Readonly<Record<SiteValue, string | number>> => {
  const url = (path: string): string => site.publicUrl + localPath(path, language);
  return {
    brandName: site.brandName,
    platformName: site.platformName,
    publicUrl: site.publicUrl,
    host: new URL(site.publicUrl).host,
    vanityMinEur: site.vanityMinEur,
    developerPortalUrl: site.developerPortalUrl,
    risksUrl: url('/token-donation#risks'),
    withdrawalUrl: url('/token-donation'),
    fewestDigits: ID_DIGITS.fewest,
    mostDigits: ID_DIGITS.most,
  };
};

/** So that a quotation says what is written there. */
const quotedWords = (texts: Translation): Readonly<Record<QuotedWord, string>> => ({
  ...texts.discord,
  lookupButton: texts.lookup.submit,
  addAppButton: texts.card.addApp,
  refreshButton: texts.status.refresh,
  tokenDonationPage: texts.frame.tokenDonation,
  puzzleTitle: texts.help.puzzle.title,
  exampleName: texts.donate.exampleName,
});

type Glue = readonly [RegExp, string];

const DASHES: Glue = [/ — /g, '\u00A0— '];
/** Not in addresses and code, which are to be copied as they are. */
const HYPHENS: Glue = [/-(?=[\u0400-\u04FF])/g, '-\u2060'];
const lettersBeforeWords = (letters: string): Glue => [
  new RegExp(`(?<![^\\s(„«])([${letters}]) `, 'giu'),
  '$1\u00A0',
];

/** What a line of the language does not end or begin with. */
const GLUES: Partial<Record<Language, readonly Glue[]>> = {
  // A particle belongs to what stands before it.
  ko: [[/(?<=[”)`])(?=[가-힣])/g, '\u2060']],
  pl: [lettersBeforeWords('aiouwz')],
  ru: [DASHES, HYPHENS, lettersBeforeWords('авикосуя')],
  uk: [DASHES, HYPHENS, lettersBeforeWords('авзийосуя')],
};

const mapTexts = (texts: unknown, change: (text: string) => string): unknown => {
  if (typeof texts === 'string') return change(texts);
  if (Array.isArray(texts)) return texts.map((text) => mapTexts(text, change));
  return Object.fromEntries(
    Object.entries(texts as object).map(([key, text]) => [key, mapTexts(text, change)]),
  );
};

/** Typed as the English texts: `languages.test.ts` checks that the names left in braces are the same. */
export const localize = <Name extends Section>(
  names: readonly Name[],
  language: Language,
  site: Settings,
): Pick<Texts, Name> => {
  const translation = translationOf(language);
  const values = { ...siteValues(site, language), ...quotedWords(translation) };
  const glues = GLUES[language] ?? [];
  const localized = (text: string): string =>
    glues.reduce((glued, [pattern, by]) => glued.replace(pattern, by), fill(text, values));
  return Object.fromEntries(names.map((name) => [name, mapTexts(translation[name], localized)])) as Pick<
    Texts,
    Name
  >;
};
