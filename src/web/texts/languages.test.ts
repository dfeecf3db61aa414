import { describe, expect, it } from 'vitest';
import { LANGUAGE_CODES, localeOf, type Language } from '#shared/languages.ts';
import { translationOf } from './localize.ts';
import type { PluralForms } from './translation.ts';

type Leaf = string | PluralForms;

const isPlural = (texts: unknown): texts is PluralForms =>
  typeof texts === 'object' && texts !== null && 'other' in texts && typeof texts.other === 'string';

/** Every text by its path. The forms of a plural stay together. */
const flatten = (texts: unknown, path = ''): [path: string, text: Leaf][] =>
  typeof texts === 'string' || isPlural(texts)
    ? [[path, texts]]
    : Object.entries(texts as object).flatMap(([key, text]) => flatten(text, path ? `${path}.${key}` : key));

const ENGLISH = new Map(flatten(translationOf('en')));

/** Each text beside the English one; of a plural, each form beside the English `other`. */
const pairsOf = (language: Language): [path: string, text: string, english: string][] =>
  flatten(translationOf(language)).flatMap(([path, text]) => {
    const english = ENGLISH.get(path) ?? '';
    const original = typeof english === 'string' ? english : english.other;
    if (typeof text === 'string') return [[path, text, original]];
    return Object.entries(text).map(([form, words]) => [`${path}.${form}`, words, original]);
  });

const allOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, part = '']) => part).toSorted();

/** What has to be the same in every language. */
const marksOf = (text: string) => ({
  names: [...new Set(allOf(text, /\{(\w+)\}/g))],
  addresses: allOf(text, /\[[^\]]+\]\(([^)\s]+)\)/g),
  codes: allOf(text, /`([^`]+)`/g),
  backquotes: text.split('`').length - 1,
  asterisks: text.split('**').length - 1,
  lines: text.split('\n').length,
});

it('there is a file for each language, and none without', () => {
  const files = Object.keys(import.meta.glob('../../texts/*.json'));
  expect(files.toSorted()).toEqual(LANGUAGE_CODES.map((code) => `../../texts/${code}.json`).toSorted());
});

describe.each(LANGUAGE_CODES)('the texts in %s', (language) => {
  it('are those of the English pages, each of them', () => {
    const paths = flatten(translationOf(language)).map(([path, text]) => [path, typeof text]);
    expect(paths).toEqual([...ENGLISH].map(([path, text]) => [path, typeof text]));
  });

  it('have the names, links, codes and marks of the English ones', () => {
    const pairs = pairsOf(language);
    expect(pairs.map(([path, text]) => [path, marksOf(text)])).toEqual(
      pairs.map(([path, , english]) => [path, marksOf(english)]),
    );
  });

  it('have a form for each kind of number', () => {
    const rules = new Intl.PluralRules(localeOf(language));
    const known = rules.resolvedOptions().pluralCategories;
    const needed = new Set(Array.from({ length: 201 }, (_, number) => rules.select(number))).add('other');
    const plurals = flatten(translationOf(language)).filter(([, text]) => isPlural(text));
    expect(plurals).not.toEqual([]);
    for (const [path, forms] of plurals) {
      const written = Object.keys(forms) as Intl.LDMLPluralRule[];
      expect([path, [...needed].filter((form) => !written.includes(form))]).toEqual([path, []]);
      expect([path, written.filter((form) => !known.includes(form))]).toEqual([path, []]);
    }
  });

  it('are not empty, and have no spaces too many', () => {
    expect(pairsOf(language).filter(([, text]) => text === '' || text.trim() !== text)).toEqual([]);
    expect(pairsOf(language).filter(([, text]) => /\s{2}/.test(text))).toEqual([]);
  });
});

/** Those that other languages write with the same letters. */
const SAME_EVERYWHERE = new Set([
  'card.dateForms.iso',
  'frame.api',
  'api.title',
  'card.id',
  'lookup.fieldLabel',
  'offline.label',
  'head.idTitle',
  'pictures.pixels',
  // What engineers call the parts of an ID.
  'id.worker',
  'id.process',
  'id.increment',
]);

it.each(['ru', 'uk', 'ja', 'ko', 'zh', 'ar'] as const)('nothing was left in English in %s', (language) => {
  const left = pairsOf(language).filter(
    ([path, text, english]) => text === english && !SAME_EVERYWHERE.has(path),
  );
  expect(left).toEqual([]);
});
