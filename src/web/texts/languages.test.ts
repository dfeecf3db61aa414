import { expect, it } from 'vitest';
import { LANGUAGE_CODES, type Language } from '#shared/languages.ts';
import { SITE } from '#test/support/site.ts';
import { localize, translationOf } from './localize.ts';

/** Every text by its key. */
const flatten = (texts: unknown, key = ''): [key: string, text: string][] =>
  typeof texts === 'string'
    ? [[key, texts]]
    : Object.entries(texts as object).flatMap(([part, text]) => flatten(text, key ? `${key}.${part}` : part));

const textsOf = (language: Language): Map<string, string> =>
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
  asterisks: text.split('**').length - 1,
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

const textProblems = (text: string, english: string | undefined): string[] =>
  english === undefined
    ? ['English has no such key']
    : [...markProblems(text, english), ...spaceProblems(text)];

const problemsIn = (language: Language): string[] => {
  const texts = textsOf(language);
  const missing = [...ENGLISH.keys()].filter((key) => !texts.has(key)).map((key) => `${key}: is missing`);
  const wrong = [...texts].flatMap(([key, text]) =>
    textProblems(text, ENGLISH.get(key)).map((problem) => `${key}: ${problem}`),
  );
  return [...missing, ...wrong].map((problem) => `${language}.json: ${problem}`);
};

it('there is a file for each language, and none without', () => {
  const files = Object.keys(import.meta.glob('../../texts/*.json'));
  expect(files.toSorted()).toEqual(LANGUAGE_CODES.map((code) => `../../texts/${code}.json`).toSorted());
});

it.each(LANGUAGE_CODES)('texts in %s have the keys, names, links and marks they need', (language) => {
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
  ['ru', / —|-[а-яё]|(?:^|[ («])[авикосуя] /i],
  ['uk', / —|-[а-яіїєґ]|(?:^|[ («])[авзийосуя] /i],
])('no line of a text in %s begins or ends with what belongs to the other', (language, apart) => {
  expect(JSON.stringify(translationOf(language))).toMatch(apart);
  expect(JSON.stringify(localize(['help', 'tokenDonation', 'donate'], language, SITE))).not.toMatch(apart);
});
