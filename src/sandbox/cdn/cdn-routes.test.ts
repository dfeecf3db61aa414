import { describe, expect, it } from 'vitest';
import { DECORATION_ASSETS, NAMEPLATE_ASSETS, tagBadgeHash } from '../profiles/asset-hashes.ts';
import { createCdn } from './cdn-routes.ts';
import { SAMPLE_USERS } from '../profiles/sample-profiles.ts';
import type { UserObject } from '../profiles/user-object.ts';

const cdn = createCdn((id) => SAMPLE_USERS.get(id));

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
const expectPicture = (from: typeof cdn, path: string, query: string, type: string): void => {
  const { status, headers, body } = from(path, query);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(Buffer.from(body).toString('hex')).toMatch(new RegExp(`^${SIGNATURES.get(type)}`));
};

const isMovingPng = (path: string, query: string): boolean => {
  const { status, body } = cdn(path, query);
  expect(status).toBe(200);
  return Buffer.from(body).includes('acTL');
};

describe('the CDN', () => {
  it('lets browsers keep what it serves', () => {
    expect(cdn('/embed/avatars/5.png', '').headers).toMatchObject({
      'cache-control': 'public, max-age=31536000',
    });
  });
  it.each([
    [`/avatars/${STILL.id}/${MOVING.avatar}.png`, 404],
    [`/guild-tag-badges/1/${tagBadgeHash(GUILD)}.png`, 404],
    ['/', 404],
    [`${still}.gif`, 415],
    [still, 415],
    [`/guild-tag-badges/${badge}.gif`, 415],
    [`/assets/collectibles/${NAMEPLATE_ASSETS[0]}img.webp`, 415],
    ['/embed/avatars/6.png', 404],
  ])('refuses %s with %i', (path, status) => expect(cdn(path, '').status).toBe(status));
});

describe('the pictures', () => {
  it('come in one size each, whatever was asked for, but not in sizes that the platform does not know', () => {
    const sizes = ['16', '64', '4096'].map((size) => cdn(`${still}.png`, `size=${size}`));
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

  it('of decorations and nameplates move if their name says so, unless a still one was asked for', () => {
    for (const asset of DECORATION_ASSETS) {
      const path = `/avatar-decoration-presets/${asset}.png`;
      expect(isMovingPng(path, 'passthrough=true')).toBe(asset.startsWith('a_'));
      expect(isMovingPng(path, 'passthrough=false')).toBe(false);
    }
    for (const asset of NAMEPLATE_ASSETS) {
      expect(isMovingPng(`/assets/collectibles/${asset}img.png`, '')).toBe(true);
      expect(isMovingPng(`/assets/collectibles/${asset}static.png`, '')).toBe(false);
    }
  });

  it.each([
    ['', ['png', 'jpg', 'jpeg', 'webp']],
    ['a_', ['png', 'jpg', 'jpeg', 'webp', 'webp?animated=true', 'gif']],
  ])('are there in every form, whichever a hash with the prefix "%s" chooses', (prefix, forms) => {
    for (let n = 0; n < 60; n += 1) {
      const hash = prefix + n.toString(16).padStart(32, '0');
      const cdnOfOne = createCdn(() => ({ ...STILL, avatar: hash, banner: hash }));
      for (const form of forms) {
        const [extension = '', query = ''] = form.split('?');
        for (const folder of ['avatars', 'banners']) {
          const path = `/${folder}/${STILL.id}/${hash}.${extension}`;
          expectPicture(cdnOfOne, path, query, `image/${extension.replace('jpg', 'jpeg')}`);
        }
      }
    }
  });
});
