import { afterEach, expect, it, vi } from 'vitest';
import { keepChosenLanguage, readChosenLanguage } from './chosen-language.ts';

afterEach(() => vi.unstubAllGlobals());

it('a choice is kept in the browser', () => {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  });
  expect(readChosenLanguage()).toBeUndefined();
  keepChosenLanguage('pt-br');
  expect(readChosenLanguage()).toBe('pt-br');
});

it('a browser that keeps nothing is no error', () => {
  const refuse = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  expect(() => keepChosenLanguage('de')).not.toThrow();
  expect(readChosenLanguage()).toBeUndefined();
});
