import { describe, expect, it } from 'vitest';
import {
  animated,
  DECORATION_ASSETS,
  guildBannerHash,
  guildIconHash,
  NAMEPLATE_ASSETS,
  tagBadgeHash,
} from '../profiles/asset-hashes.ts';
import { createCdn } from './cdn-routes.ts';
import { SAMPLE_USERS } from '../profiles/sample-profiles.ts';
import type { UserObject } from '../profiles/user-object.ts';

const cdn = createCdn({ find: (id) => SAMPLE_USERS.get(id) });

const STILL = SAMPLE_USERS.get('441997505123577857') as UserObject;
const MOVING = SAMPLE_USERS.get('776367000573177858') as UserObject;
const GUILD = '332779590571257874';
const still = `/avatars/${STILL.id}/${STILL.avatar}`;
const moving = `/avatars/${MOVING.id}/${MOVING.avatar}`;
const badge = `${GUILD}/${tagBadgeHash(GUILD)}`;

/** The first bytes of a file of each type. */
const SIGNATURES = new Map([
  ['image/png', '89504e47'],
  ['image/jpeg', 'ffd8ff'],
  ['image/webp', '52494646'],
  ['image/gif', '47494638'],
]);
const signatureOf = (body: string | Buffer, length: number): string =>
  Buffer.from(body).toString('hex').slice(0, length);

const isMovingPng = (path: string, query: string): boolean => {
  const { status, body } = cdn(path, query);
  expect(status).toBe(200);
  return Buffer.from(body).includes('acTL');
};

describe('the CDN', () => {
  it.each([
    [`${still}.png`, 'image/png'],
    [`${still}.webp`, 'image/webp'],
    [`${still}.jpg`, 'image/jpeg'],
    [`${still}.jpeg`, 'image/jpeg'],
    [`${moving}.png`, 'image/png'],
    [`${moving}.jpg`, 'image/jpeg'],
    [`${moving}.webp`, 'image/webp'],
    [`${moving}.gif`, 'image/gif'],
    [`/banners/${STILL.id}/${STILL.banner}.png`, 'image/png'],
    [`/banners/${STILL.id}/${STILL.banner}.jpg`, 'image/jpeg'],
    [`/banners/${MOVING.id}/${MOVING.banner}.gif`, 'image/gif'],
    ['/embed/avatars/5.png', 'image/png'],
    [`/guild-tag-badges/${badge}.webp`, 'image/webp'],
    [`/guild-tag-badges/${badge}.jpg`, 'image/jpeg'],
    [`/guild-tag-badges/${badge}.jpeg`, 'image/jpeg'],
    [`/icons/${GUILD}/${guildIconHash(GUILD)}.jpg`, 'image/jpeg'],
    [`/icons/${GUILD}/${animated(guildIconHash(GUILD))}.gif`, 'image/gif'],
    [`/banners/${GUILD}/${guildBannerHash(GUILD)}.webp`, 'image/webp'],
    [`/clan-badges/${badge}.png`, 'image/png'],
    [`/avatar-decoration-presets/${DECORATION_ASSETS[0]}.png`, 'image/png'],
    [`/assets/collectibles/${NAMEPLATE_ASSETS[0]}static.png`, 'image/png'],
    [`/assets/collectibles/${NAMEPLATE_ASSETS[1]}img.png`, 'image/png'],
  ])('serves %s', (path, type) => {
    const answer = cdn(path, 'size=16');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000',
    });
    expect(Object.keys(answer.headers).join()).not.toContain('access-control');
    const signature = SIGNATURES.get(type) ?? '';
    expect(signatureOf(answer.body, signature.length)).toBe(signature);
  });

  it.each([
    `/avatars/${STILL.id}/${MOVING.avatar}.png`,
    `/avatars/nobody/${STILL.avatar}.png`,
    `/avatars/794354273277177873/${STILL.avatar}.png`,
    `/banners/${STILL.id}/${STILL.avatar}.png`,
    `/guild-tag-badges/1/${tagBadgeHash(GUILD)}.png`,
    `/icons/1/${guildIconHash(GUILD)}.png`,
    `/banners/1/${guildBannerHash(GUILD)}.png`,
    '/embed/avatars/6.png',
    '/avatar-decoration-presets/none.png',
    '/assets/collectibles/nameplates/nameplates/none/static.png',
    `/assets/collectibles/${NAMEPLATE_ASSETS[0]}other.png`,
    `/assets/${NAMEPLATE_ASSETS[0]}static.png`,
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
    `/clan-badges/${badge}.jpg`,
    `/clan-badges/${badge}.webp`,
    '/embed/avatars/5.jpg',
    `/assets/collectibles/${NAMEPLATE_ASSETS[0]}img.webp`,
  ])('cannot make %s', (path) => {
    expect(cdn(path, '').status).toBe(415);
  });
});

describe('the pictures', () => {
  it('come in one size each, whatever was asked for, but not in sizes that the platform does not know', () => {
    const sizes = ['16', '64', '320', '4096'].map((size) => cdn(`${still}.png`, `size=${size}`));
    expect(new Set(sizes.map(({ body }) => body))).toEqual(new Set([cdn(`${still}.png`, '').body]));
    for (const size of ['17', '8', '8192', 'x', '-64', ''])
      expect(cdn(`${still}.png`, `size=${size}`).status).toBe(400);
  });

  it('move only where they can and were asked to', () => {
    const isAnimated = (path: string, query: string): boolean =>
      Buffer.from(cdn(path, query).body).includes('ANMF');
    expect(isAnimated(`${moving}.webp`, 'size=16&animated=true')).toBe(true);
    expect(isAnimated(`${moving}.webp`, 'size=16')).toBe(false);
    expect(isAnimated(`${still}.webp`, 'size=16&animated=true')).toBe(false);
  });

  it('decorate, and move if their name says so', () => {
    for (const asset of DECORATION_ASSETS) {
      const path = `/avatar-decoration-presets/${asset}.png`;
      expect(isMovingPng(path, '')).toBe(asset.startsWith('a_'));
      expect(isMovingPng(path, 'passthrough=true')).toBe(asset.startsWith('a_'));
      expect(isMovingPng(path, 'passthrough=false')).toBe(false);
    }
    expect(new Set(DECORATION_ASSETS.map((asset) => asset.startsWith('a_'))).size).toBe(2);
  });

  it('lie behind a name, moving or still', () => {
    for (const asset of NAMEPLATE_ASSETS) {
      expect(isMovingPng(`/assets/collectibles/${asset}img.png`, '')).toBe(true);
      expect(isMovingPng(`/assets/collectibles/${asset}static.png`, '')).toBe(false);
    }
  });

  it.each([
    ['', ['png?', 'jpg?', 'webp?']],
    ['a_', ['png?', 'jpg?', 'webp?', 'webp?animated=true', 'gif?']],
  ])('are there in every form, whichever a hash with the prefix "%s" chooses', (prefix, forms) => {
    for (let n = 0; n < 60; n += 1) {
      const hash = prefix + n.toString(16).padStart(32, '0');
      const cdnOfOne = createCdn({ find: () => ({ ...STILL, avatar: hash, banner: hash }) });
      for (const form of forms) {
        const [extension, query = ''] = form.split('?');
        for (const folder of ['avatars', 'banners'])
          expect(cdnOfOne(`/${folder}/${STILL.id}/${hash}.${extension}`, query).status).toBe(200);
      }
    }
  });
});
