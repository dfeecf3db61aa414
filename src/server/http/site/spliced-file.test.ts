import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createSplicedFile } from './spliced-file.ts';

const texts = ['<p>é</p>'.repeat(500), '', 'x'];
const splice = createSplicedFile(texts, 'text/html');

it.each([
  ['two gaps', ['漢字', '2']],
  ['an empty gap', ['', '']],
  ['a long gap', ['g'.repeat(0x1_ff_ff), '2']],
])('is the same text plain and compressed, with %s', (_name, gaps) => {
  const { identity, gzip, br } = splice(gaps);
  const text = texts[0] + (gaps[0] ?? '') + texts[1] + (gaps[1] ?? '') + texts[2];
  expect(identity.bytes.toString()).toBe(text);
  expect(gunzipSync(gzip?.bytes ?? '').toString()).toBe(text);
  expect(br).toBeUndefined();
});

it('has a tag that tells the texts, the gaps and the encoding', () => {
  const tagsOf = (of: typeof splice, gaps: readonly string[]) => [
    of(gaps).identity.etag,
    of(gaps).gzip?.etag,
  ];
  const other = createSplicedFile(['', '', 'x'], 'text/html');
  const all = [...tagsOf(splice, ['a', 'b']), ...tagsOf(splice, ['ab', '']), ...tagsOf(other, ['a', 'b'])];
  expect(new Set(all).size).toBe(all.length);
  expect(tagsOf(splice, ['a', 'b'])).toEqual(tagsOf(splice, ['a', 'b']));
});
