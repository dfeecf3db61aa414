import { describe, expect, it } from 'vitest';
import { LANGUAGE_CODES } from '#shared/languages.ts';
import { parseVanityName } from './vanity-name.ts';

describe('a vanity name', () => {
  it.each(['qx', 'my-server', 'my-club', 'no-way', 'bug', 'ice', 'a1', '1a', '0-0x', 'a'.repeat(32)])(
    'may be %s',
    (name) => {
      expect(parseVanityName(name)).toEqual({ ok: true, name });
    },
  );

  it('is the same in any case', () => {
    expect(parseVanityName('My-Server')).toEqual({ ok: true, name: 'my-server' });
  });

  it.each([
    '',
    'a',
    '-ab',
    'ab-',
    'a_b',
    'a.b',
    'ä-b',
    'a b',
    'ab\n',
    'a/b',
    '%61b',
    'a'.repeat(33),
    'ﬀab',
    '\u212Aelvin',
  ])('is not %j', (text) => expect(parseVanityName(text)).toEqual({ ok: false, problem: 'malformed' }));

  it('is not a number, which people would take for an ID', () => {
    expect(parseVanityName('80351110224678912')).toEqual({ ok: false, problem: 'digits-only' });
  });

  it.each([
    'lookup',
    'Donate',
    'token-donation',
    'status',
    'privacy',
    'healthz',
    'assets',
    'admin',
    'openapi',
    'texts',
  ])('is not %s, which is taken', (text) =>
    expect(parseVanityName(text)).toEqual({ ok: false, problem: 'reserved' }),
  );

  it.each([...LANGUAGE_CODES, 'ab', 'xh', 'FIL', 'yue', 'zh-tw', 'de-zz', 'zh-hant', 'sr-latn'])(
    'is not %s, which is a language or could become one',
    (text) => expect(parseVanityName(text)).toEqual({ ok: false, problem: 'reserved' }),
  );
});
