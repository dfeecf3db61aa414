import { describe, expect, it, vi } from 'vitest';
import { chooseBody, createBuiltFile, createStaticFile, matchesEtag } from './static-file.ts';

const html = (text: string) => createStaticFile(() => Buffer.from(text), 'text/html; charset=utf-8');

describe('createStaticFile', () => {
  it('is made when it is first asked for, and once', () => {
    const make = vi.fn(() => Buffer.from('text'));
    const file = createStaticFile(make, 'text/html');
    expect(make).not.toHaveBeenCalled();
    expect([file.identity, file.br, file.gzip, file.identity]).toHaveLength(4);
    expect(make).toHaveBeenCalledOnce();
  });

  it('is made once for each encoding, and kept in that alone', () => {
    const make = vi.fn(() => Buffer.from('text'));
    const file = createStaticFile(make, 'text/html');
    expect([file.br, file.gzip, file.br, file.gzip]).toHaveLength(4);
    expect(make).toHaveBeenCalledTimes(2);
  });
});

describe('chooseBody', () => {
  it('gives a file that the build did not compress as it is', () => {
    const picture = createBuiltFile(
      { identity: Buffer.from('png') },
      { contentType: 'image/png', cacheControl: 'immutable' },
    );
    expect(chooseBody(picture, 'br, gzip')).toEqual(['identity', picture.identity]);
  });

  it.each([
    ['br', 'br'],
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0', 'identity'],
    ['br; q=0.0, gzip; q=0.5', 'gzip'],
    ['BR', 'br'],
    ['gzip;q=1.0, br;q=0.1', 'br'],
    ['gzip ;q=1', 'gzip'],
    ['br;q=0.000,gzip;q=0.001', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['br;q=x', 'identity'],
    ['brotli, xgzip', 'identity'],
    ['*', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
  ])('for %j gives %s', (accepted, coding) => {
    expect(chooseBody(html('text'), accepted)[0]).toBe(coding);
  });
});

it.each([
  [undefined, false],
  ['"tag"', true],
  ['W/"tag"', true],
  ['"a",W/"tag" ,"b"', true],
  ['w/"tag"', false],
  ['"tag-br"', false],
  ['*', true],
  ['tag', false],
  ['"TAG"', false],
  ['"ta', false],
])('If-None-Match %j matches "tag": %s', (header, matches) => {
  expect(matchesEtag(header, '"tag"')).toBe(matches);
});
