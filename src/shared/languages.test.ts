import fc from 'fast-check';
import { expect, it } from 'vitest';
import { directionOf, LANGUAGE_CODES, localeOf, localPath, splitPath } from './languages.ts';
import { isPagePath, PAGE_PATHS } from './paths.ts';

it.each([
  ['/', 'en', '/'],
  ['/help', 'en', '/help'],
  ['/', 'de', '/de'],
  ['/?id=1', 'de', '/de?id=1'],
  ['/#donate-token', 'pt-br', '/pt-br#donate-token'],
  ['/help#whose', 'ar', '/ar/help#whose'],
] as const)('the address of %s in %s is %s', (path, language, address) => {
  expect(localPath(path, language)).toBe(address);
});

it('the address of a page says which page and which language it is', () => {
  const pages = fc.constantFrom(...PAGE_PATHS);
  fc.assert(
    fc.property(pages, fc.constantFrom(...LANGUAGE_CODES), (path, language) => {
      expect(splitPath(localPath(path, language))).toEqual({ language, path });
    }),
  );
  expect(splitPath('/de/')).toEqual({ language: 'de', path: '/' });
});

it.each(['/en', '/en/help', '/desk', '/DE', '/constructor', '/help/de', '//de', ''])(
  'the address of a page is an English one if it does not begin with another language: %j',
  (path) => {
    expect(splitPath(path)).toEqual({ language: 'en', path });
  },
);

it('one language is written from right to left; dates follow the tag unless that is not enough', () => {
  expect(LANGUAGE_CODES.filter((language) => directionOf(language) !== 'ltr')).toEqual(['ar']);
  expect(directionOf('ar')).toBe('rtl');
  expect((['en', 'de', 'zh', 'ar'] as const).map(localeOf)).toEqual([
    'en-GB',
    'de',
    'zh-Hans',
    'ar-u-nu-latn',
  ]);
});

it('a page has one of the known paths, spelled exactly so', () => {
  expect(PAGE_PATHS.filter((path) => !isPagePath(path))).toEqual([]);
  expect(['', '/Help', '/help/', '/toString'].filter(isPagePath)).toEqual([]);
});
