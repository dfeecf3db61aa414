import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '#test/support/any-text.ts';
import { rawJson } from './profile-details.tsx';

it('the raw view lets the unseen be seen, and is still the same JSON', () => {
  expect(rawJson({ name: 'photo\u202egnp\u200b\u{e0041}' })).toBe(
    '{\n  "name": "photo\\u202egnp\\u200b\\udb40\\udc41"\n}',
  );
  fc.assert(
    fc.property(anyText, (name) => {
      expect(JSON.parse(rawJson({ name }))).toEqual({ name });
    }),
  );
});
