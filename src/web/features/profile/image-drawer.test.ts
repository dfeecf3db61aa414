import { describe, expect, it } from 'vitest';
import { createCdnUrls } from '#shared/cdn-url.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { imageFormats } from './image-drawer.tsx';

const cdn = createCdnUrls('https://cdn.example');
const id = '80351110224678912' as Snowflake;
const hash = '0123456789abcdef0123456789abcdef';
const formatsOf = (url: string | null): string[] => imageFormats(url ?? '').map(({ name }) => name);

describe('the forms of a picture', () => {
  it('are all sizes of all formats that a still picture has', () => {
    const [png, webp, ...others] = imageFormats(cdn.avatar(id, hash) ?? '');
    expect(others).toEqual([]);
    expect(png?.name).toBe('PNG');
    expect(png?.sizes.map(({ pixels }) => pixels)).toEqual([128, 256, 512, 1024, 2048, 4096]);
    expect(png?.sizes[0]?.url).toBe(`https://cdn.example/avatars/${id}/${hash}.png?size=128`);
    expect(webp?.sizes[5]?.url).toBe(`https://cdn.example/avatars/${id}/${hash}.webp?size=4096`);
  });

  it('move only if the upload does', () => {
    const animated = cdn.banner(id, `a_${hash}`);
    expect(formatsOf(animated)).toEqual(['Animated WebP', 'GIF', 'PNG', 'WebP']);
    expect(imageFormats(animated ?? '')[0]?.sizes[2]?.url).toBe(
      `https://cdn.example/banners/${id}/a_${hash}.webp?size=512&animated=true`,
    );
    expect(formatsOf(cdn.banner(id, hash))).toEqual(['PNG', 'WebP']);
  });

  it('do not exist for a default picture', () => {
    expect(formatsOf(cdn.defaultAvatar(id, '0'))).toEqual([]);
  });
});
