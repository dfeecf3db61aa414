import { describe, expect, it } from 'vitest';
import { DECORATION_ASSETS, tagBadgeHash } from './assets.ts';
import { createCdn } from './cdn-routes.ts';
import { SAMPLE_USERS } from './sample-profiles.ts';

const cdn = createCdn({ find: (id) => SAMPLE_USERS.get(id), json: () => undefined });

const STILL = SAMPLE_USERS.get('441997505123577857');
const MOVING = SAMPLE_USERS.get('776367000573177858');
const GUILD = '332779590571257874';
const still = `/avatars/${STILL?.id}/${STILL?.avatar}`;
const moving = `/avatars/${MOVING?.id}/${MOVING?.avatar}`;
const badge = `${GUILD}/${tagBadgeHash(GUILD)}`;

const pngSize = (body: string | Buffer) => {
  const bytes = Buffer.from(body);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
};

describe('the CDN', () => {
  it.each([
    [`${still}.png`, 'image/png'],
    [`${still}.webp`, 'image/webp'],
    [`${moving}.png`, 'image/png'],
    [`${moving}.gif`, 'image/gif'],
    [`/banners/${STILL?.id}/${STILL?.banner}.png`, 'image/png'],
    ['/embed/avatars/5.png', 'image/png'],
    [`/guild-tag-badges/${badge}.webp`, 'image/webp'],
    [`/clan-badges/${badge}.png`, 'image/png'],
    [`/avatar-decoration-presets/${DECORATION_ASSETS[0]}.png`, 'image/png'],
  ])('serves %s', (path, type) => {
    const answer = cdn(path, 'size=16');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000',
    });
    expect(Object.keys(answer.headers).join()).not.toContain('access-control');
  });

  it.each([
    `/avatars/${STILL?.id}/${MOVING?.avatar}.png`,
    `/avatars/nobody/${STILL?.avatar}.png`,
    `/avatars/794354273277177873/${STILL?.avatar}.png`,
    `/banners/${STILL?.id}/${STILL?.avatar}.png`,
    `/guild-tag-badges/1/${tagBadgeHash(GUILD)}.png`,
    '/embed/avatars/6.png',
    '/avatar-decoration-presets/none.png',
    '/',
    '/nothing',
  ])('has no %s', (path) => {
    expect(cdn(path, '').status).toBe(404);
  });

  it.each([
    `${still}.gif`,
    `${still}.exe`,
    still,
    `/guild-tag-badges/${badge}.gif`,
    `/clan-badges/${badge}.webp`,
  ])('cannot make %s', (path) => {
    expect(cdn(path, '').status).toBe(415);
  });

  it('honours the size, within what it can render', () => {
    expect(pngSize(cdn(`${still}.png`, 'size=64').body)).toEqual({ width: 64, height: 64 });
    expect(pngSize(cdn(`${still}.png`, 'size=4096').body)).toEqual({ width: 1024, height: 1024 });
    expect(pngSize(cdn(`/banners/${STILL?.id}/${STILL?.banner}.png`, 'size=320').body)).toEqual({
      width: 320,
      height: 128,
    });
    for (const size of ['17', '8', '8192', 'x', '-64', ''])
      expect(cdn(`${still}.png`, `size=${size}`).status).toBe(400);
  });

  it('moves only what can move and was asked to', () => {
    const isAnimated = (path: string, query: string): boolean =>
      Buffer.from(cdn(path, query).body).includes('ANMF');
    expect(isAnimated(`${moving}.webp`, 'size=16&animated=true')).toBe(true);
    expect(isAnimated(`${moving}.webp`, 'size=16')).toBe(false);
    expect(isAnimated(`${still}.webp`, 'size=16&animated=true')).toBe(false);
  });
});
