import { describe, expect, it } from 'vitest';
import { createCdnUrls } from '#shared/cdn-url.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { ENGLISH } from '#test/support/texts.ts';
import { ANIMATED_WEBP, formsOf, moves, stillOf } from './picture-forms.ts';

const cdn = createCdnUrls('https://cdn.example');
const id = '80351110224678912' as Snowflake;
const hash = '0123456789abcdef0123456789abcdef';
const namesOf = (url: string | null): string[] =>
  formsOf(url ?? '').map(({ name }) => (name === ANIMATED_WEBP ? ENGLISH.pictures.animatedWebp : name));

describe('the forms of a picture', () => {
  it('are all sizes of all formats that a still picture has', () => {
    const [png, webp, ...others] = formsOf(cdn.avatar(id, hash) ?? '');
    expect(others).toEqual([]);
    expect(png?.name).toBe('PNG');
    expect(png?.urlAt(128)).toBe(`https://cdn.example/avatars/${id}/${hash}.png?size=128`);
    expect(webp?.urlAt(4096)).toBe(`https://cdn.example/avatars/${id}/${hash}.webp?size=4096`);
  });

  it('move only if the upload does', () => {
    const animated = cdn.banner(id, `a_${hash}`);
    expect(namesOf(animated)).toEqual(['WebP, animated', 'GIF', 'PNG', 'WebP']);
    expect(formsOf(animated ?? '')[0]?.urlAt(512)).toBe(
      `https://cdn.example/banners/${id}/a_${hash}.webp?size=512&animated=true`,
    );
    expect(namesOf(cdn.banner(id, hash))).toEqual(['PNG', 'WebP']);
  });

  it('do not exist for a picture of the platform’s own', () => {
    expect(namesOf(cdn.defaultAvatar(id, '0'))).toEqual([]);
    expect(namesOf(cdn.decoration(hash))).toEqual([]);
  });
});

describe('a picture that moves', () => {
  it.each([cdn.avatar(id, `a_${hash}`), cdn.banner(id, `a_${hash}`), cdn.decoration(`a_${hash}`)])(
    'can stand still: %s',
    (url) => {
      expect(moves(url ?? '')).toBe(true);
      expect(moves(stillOf(url ?? ''))).toBe(false);
      expect(stillOf(url ?? '')).not.toBe(url);
    },
  );

  it.each([cdn.avatar(id, hash), cdn.defaultAvatar(id, '0'), cdn.decoration(hash)])(
    'is not this one, which stays as it is: %s',
    (url) => {
      expect(moves(url ?? '')).toBe(false);
      expect(stillOf(url ?? '')).toBe(url);
    },
  );
});
