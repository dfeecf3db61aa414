import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { chooseBody, createStaticFile, createUncompressedFile, matchesEtag } from './static-file.ts';

const html = (text: string) =>
  createStaticFile(() => Buffer.from(text), 'text/html; charset=utf-8', 'no-cache');

describe('createStaticFile', () => {
  it('compresses, both ways', () => {
    const bytes = Buffer.from('text '.repeat(100));
    const { identity, br, gzip } = createStaticFile(() => bytes, 'application/json');
    expect(identity.bytes).toBe(bytes);
    expect(brotliDecompressSync(br?.bytes ?? '')).toEqual(bytes);
    expect(gunzipSync(gzip?.bytes ?? '')).toEqual(bytes);
  });

  it('compresses further for those who come later, under the same tag', async () => {
    const bytes = Buffer.from(Array.from({ length: 500 }, (_, n) => `line ${n} of a page`).join('\n'));
    const file = createStaticFile(() => bytes, 'text/html');
    const [first, length] = [file.br, file.br?.bytes.length ?? 0];
    await vi.waitFor(() => expect(file.br?.bytes.length).toBeLessThan(length), EVENTUALLY);
    expect(brotliDecompressSync(file.br?.bytes ?? '')).toEqual(bytes);
    expect(file.br?.etag).toBe(first?.etag);
  });

  it('is made when somebody asks for it, and once', () => {
    const make = vi.fn(() => Buffer.from('text'));
    const file = createStaticFile(make, 'text/html');
    expect(make).not.toHaveBeenCalled();
    expect([file.identity, file.br, file.gzip, file.identity]).toHaveLength(4);
    expect(make).toHaveBeenCalledOnce();
  });

  it('gives each content and each encoding a tag of its own, always the same', () => {
    const [one, again, other] = [html('one'), html('one'), html('other')];
    const tags = [one, again, other].map(({ identity, br, gzip }) => [identity.etag, br?.etag, gzip?.etag]);
    expect(tags[0]).toEqual(tags[1]);
    expect(new Set(tags.flat()).size).toBe(6);
    for (const tag of tags.flat()) expect(tag).toMatch(/^"[\w-]+"$/);
  });
});

describe('chooseBody', () => {
  it('gives what cannot be compressed as it is', () => {
    const bytes = randomBytes(64);
    const picture = createUncompressedFile(bytes, 'image/png', 'immutable');
    expect(chooseBody(picture, 'br, gzip')).toEqual(['identity', picture.identity]);
  });

  it.each([
    ['br', 'br'],
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0', 'identity'],
    ['br; q=0.0, gzip; q=0.5', 'gzip'],
    [undefined, 'identity'],
  ])('for %j gives %s', (accepted, coding) => {
    expect(chooseBody(html('text'), accepted)[0]).toBe(coding);
  });
});

it.each([
  [undefined, false],
  ['"tag"', true],
  ['W/"tag"', true],
  ['"a", "tag"', true],
  ['*', true],
  ['tag', false],
  ['"TAG"', false],
  ['"ta', false],
])('If-None-Match %j matches "tag": %s', (header, matches) => {
  expect(matchesEtag(header, '"tag"')).toBe(matches);
});
