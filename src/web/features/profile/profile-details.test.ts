import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#test/support/any-text.ts';
import { rawJson } from './profile-details.tsx';

describe('the raw view', () => {
  it('lets the unseen be seen', () => {
    expect(rawJson({ name: 'photo\u202egnp\u200b\u{e0041}' })).toBe(
      '{\n  "name": "photo\\u202egnp\\u200b\\udb40\\udc41"\n}',
    );
  });

  it('is still the same JSON', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        expect(JSON.parse(rawJson({ name }))).toEqual({ name });
      }),
    );
  });
});
