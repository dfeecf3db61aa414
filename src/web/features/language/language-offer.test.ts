import { describe, expect, it } from 'vitest';
import { wantedLanguage } from './language-offer.tsx';

describe('the language that a visitor would rather read', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['en-US', 'de'], 'en'],
    [['nl', 'fr-CA'], 'fr'],
    [['pt-PT'], 'pt-br'],
    [['pt'], 'pt-br'],
    [['zh'], 'zh'],
    [['zh-CN'], 'zh'],
    [['zh-Hans-HK'], 'zh'],
    // In other characters.
    [['zh-TW'], undefined],
    [['zh-HK', 'ja'], 'ja'],
    [['nl'], undefined],
    [[], undefined],
    // What some browsers say without being asked to.
    [['C', 'en-US@posix', '', 'ko-KR'], 'ko'],
  ] as const)('of %j is %s', (preferred, language) => {
    expect(wantedLanguage(undefined, preferred)).toBe(language);
  });

  it.each(['uk', 'en', 'pt-br'])('is the one chosen earlier, whatever the browser says: %s', (chosen) => {
    expect(wantedLanguage(chosen, ['fr'])).toBe(chosen);
  });

  it.each(['xx', '', 'toString', 'DE'])('is not what is stored if that is no language: %j', (stored) => {
    expect(wantedLanguage(stored, ['fr'])).toBe('fr');
  });
});
