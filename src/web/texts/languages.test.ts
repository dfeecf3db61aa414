import { expect, it } from 'vitest';
import { LANGUAGE_CODES, localeOf, type Language } from '#shared/languages.ts';
import { SITE } from '#test/support/site.ts';
import { localize, translationOf } from './localize.ts';
import type { PluralForms } from './translation.ts';

type Leaf = string | PluralForms;

const isPlural = (texts: unknown): texts is PluralForms =>
  typeof texts === 'object' && texts !== null && 'other' in texts && typeof texts.other === 'string';

/** Every text by its key. The forms of a plural stay together. */
const flatten = (texts: unknown, key = ''): [key: string, text: Leaf][] =>
  typeof texts === 'string' || isPlural(texts)
    ? [[key, texts]]
    : Object.entries(texts as object).flatMap(([part, text]) => flatten(text, key ? `${key}.${part}` : part));

const textsOf = (language: Language): Map<string, Leaf> =>
  new Map(flatten(translationOf(language)).filter(([key]) => key !== '//'));

const ENGLISH = textsOf('en');

const allOf = (text: string, pattern: RegExp): string =>
  [...new Set([...text.matchAll(pattern)].map(([mark]) => mark))].toSorted().join(' ');

/** What has to be the same in every language. */
const marksOf = (text: string): Readonly<Record<string, string | number>> => ({
  names: allOf(text, /\{\w+\}/g),
  links: allOf(text, /(?<=\[[^\]]+\])\([^)\s]+\)/g),
  code: allOf(text, /`[^`]+`/g),
  backquotes: text.split('`').length - 1,
  lines: text.split('\n').length,
});

const markProblems = (text: string, english: string): string[] => {
  const [marks, wanted] = [marksOf(text), marksOf(english)];
  return Object.keys(wanted)
    .filter((kind) => marks[kind] !== wanted[kind])
    .map((kind) => `${kind}: ${marks[kind] || 'none'} instead of ${wanted[kind] || 'none'}`);
};

const spaceProblems = (text: string): string[] => {
  if (text === '') return ['empty'];
  return text.trim() !== text || /\s{2}/.test(text) ? ['spaces too many'] : [];
};

/** The numbers up to 200 by the form that a language has for them. */
const numbersByForm = (language: Language): Map<string, number[]> => {
  const rules = new Intl.PluralRules(localeOf(language));
  const numbers = Array.from({ length: 201 }, (_, number) => number);
  return Map.groupBy(numbers, (number) => rules.select(number));
};

const pluralProblems = (forms: PluralForms, english: PluralForms, language: Language): string[] => {
  const numbers = numbersByForm(language);
  const known: readonly string[] = new Intl.PluralRules(localeOf(language)).resolvedOptions()
    .pluralCategories;
  const missing = [...numbers.keys()].filter((form) => !(form in forms));
  const unknown = Object.keys(forms).filter((form) => !known.includes(form));
  const wrong = Object.entries(forms).flatMap(([form, text]) =>
    // A form for one number alone, such as the Arabic dual, may say it as a word.
    markProblems(numbers.get(form)?.length === 1 ? `${text}{count}` : text, english.other),
  );
  return [
    ...missing.map((form) => `the form “${form}” is missing`),
    ...unknown.map((form) => `there is no form “${form}” in this language`),
    ...wrong,
    ...Object.values(forms).flatMap(spaceProblems),
  ];
};

const textProblems = (text: Leaf, english: Leaf | undefined, language: Language): string[] => {
  if (english === undefined) return ['English has no such key'];
  if (isPlural(text) && isPlural(english)) return pluralProblems(text, english, language);
  if (isPlural(text) || isPlural(english)) return ['a text in place of forms, or forms of a text'];
  return [...markProblems(text, english), ...spaceProblems(text)];
};

const problemsIn = (language: Language): string[] => {
  const texts = textsOf(language);
  const missing = [...ENGLISH.keys()].filter((key) => !texts.has(key)).map((key) => `${key}: is missing`);
  const wrong = [...texts].flatMap(([key, text]) =>
    textProblems(text, ENGLISH.get(key), language).map((problem) => `${key}: ${problem}`),
  );
  return [...missing, ...wrong].map((problem) => `${language}.json: ${problem}`);
};

it('there is a file for each language, and none without', () => {
  const files = Object.keys(import.meta.glob('../../texts/*.json'));
  expect(files.toSorted()).toEqual(LANGUAGE_CODES.map((code) => `../../texts/${code}.json`).toSorted());
});

it.each(LANGUAGE_CODES)('texts in %s have the keys, names, links, marks and forms they need', (language) => {
  expect(problemsIn(language)).toEqual([]);
});

/** Those that other languages write with the same letters. */
const SAME_EVERYWHERE = new Set([
  'card.dateForms.iso',
  'frame.api',
  'api.title',
  'card.id',
  'donate.exampleName',
  'lookup.fieldLabel',
  'head.idTitle',
  'pictures.pixels',
  'card.labelled',
  'card.withNote',
  'captcha.whyLink',
  'id.worker',
  'id.process',
  'id.increment',
]);

it.each(['ru', 'uk', 'ja', 'ko', 'zh', 'ar'] as const)('nothing was left in English in %s', (language) => {
  const left = flatten(translationOf(language)).filter(
    // The platform's own screens are not in every language.
    ([key, text]) => text === ENGLISH.get(key) && !SAME_EVERYWHERE.has(key) && !key.startsWith('discord.'),
  );
  expect(left).toEqual([]);
});

it.each<[language: Language, apart: RegExp]>([
  ['ko', /[”)`][가-힣]/],
  ['pl', /(?:^|[ („])[aiouwz] /i],
  ['ru', / —|(?:^|[ («])[авикосуя] /i],
  ['uk', / —|(?:^|[ («])[авзийосуя] /i],
])('no line of a text in %s begins or ends with what belongs to the other', (language, apart) => {
  expect(JSON.stringify(translationOf(language))).toMatch(apart);
  expect(JSON.stringify(localize(['help', 'tokenDonation', 'donate'], language, SITE))).not.toMatch(apart);
});
