import { expect, it } from 'vitest';
import { wantedLanguage } from './chosen-language.ts';

it.each([
  [undefined, ['de-AT', 'en'], 'de'],
  [undefined, ['nl', 'fr-CA'], 'fr'],
  [undefined, ['pt-PT'], 'pt-br'],
  [undefined, ['zh-Hans-HK'], 'zh'],
  // In other characters.
  [undefined, ['zh-TW'], undefined],
  [undefined, ['zh-HK', 'ja'], 'ja'],
  [undefined, [], undefined],
  // What some browsers say without being asked to.
  [undefined, ['C', 'en-US@posix', '', 'ko-KR'], 'ko'],
  ['uk', ['fr'], 'uk'],
  ['toString', ['fr'], 'fr'],
  ['DE', ['fr'], 'fr'],
])('the language of those who chose %j and whose browser says %j is %s', (chosen, preferred, language) => {
  expect(wantedLanguage(chosen, preferred)).toBe(language);
});
