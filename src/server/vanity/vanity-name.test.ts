import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from '#shared/languages.ts';
import { parseVanityName } from './vanity-name.ts';

it.each([...'qx my-server my-club no-way bug ice a1 1a 0-0x'.split(' '), 'a'.repeat(32)])(
  'a vanity name may be %s',
  (name) => expect(parseVanityName(name)).toEqual({ ok: true, name }),
);

it('a vanity name is the same in any case', () => {
  expect(parseVanityName('My-Server')).toEqual({ ok: true, name: 'my-server' });
});

const MALFORMED = 'a -ab ab- a_b a.b ä-b a/b %61b ﬀab \u212Aelvin'.split(' ');
it.each([...MALFORMED, '', 'a b', 'ab\n', 'a'.repeat(33)])('a vanity name is not %j', (text) =>
  expect(parseVanityName(text)).toEqual({ ok: false, problem: 'malformed' }),
);

it('a vanity name is not a number, which people would take for an ID', () => {
  expect(parseVanityName('80351110224678912')).toEqual({ ok: false, problem: 'digits-only' });
});

const TAKEN = 'lookup Donate token-donation status privacy healthz assets admin openapi texts'.split(' ');
const COULD_BE = ['ab', 'xh', 'FIL', 'yue', 'zh-tw', 'de-zz', 'zh-hant', 'sr-latn'];
it.each([...TAKEN, ...LANGUAGE_CODES, ...COULD_BE])('a vanity name is not %s: taken, or a language', (text) =>
  expect(parseVanityName(text)).toEqual({ ok: false, problem: 'reserved' }),
);
