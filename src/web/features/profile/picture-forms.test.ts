import { expect, it } from 'vitest';
import { createCdnUrls } from '#shared/cdn-url.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { ANIMATED_WEBP, formsOf, moves, stillOf } from './picture-forms.ts';

const cdn = createCdnUrls('https://cdn.example');
const id = '80351110224678912' as Snowflake;
const hash = '0123456789abcdef0123456789abcdef';
const animated = `a_${hash}`;

it.each([
  [cdn.avatar(id, hash), ['PNG', 'WebP']],
  [cdn.banner(id, animated), [ANIMATED_WEBP, 'GIF', 'PNG', 'WebP']],
  [cdn.defaultAvatar(id, '0'), []],
  [cdn.decoration(hash), []],
])('the picture %s can be had as %j', (url, names) => {
  expect(formsOf(url ?? '').map(({ name }) => name)).toEqual(names);
});

it.each([
  [cdn.avatar(id, animated), true],
  [cdn.avatar(id, hash), false],
])('the picture %s moves: %s, and can stand still', (url, moving) => {
  expect(moves(url ?? '')).toBe(moving);
  expect(moves(stillOf(url ?? ''))).toBe(false);
  expect(stillOf(url ?? '') === url).toBe(!moving);
});
