import { expect, it } from 'vitest';
import { NAMEPLATE_ASSETS, tagBadgeHash } from '../profiles/asset-hashes.ts';
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

it.each([
  [`/avatars/${STILL.id}/${MOVING.avatar}.png`, 404],
  [`/guild-tag-badges/1/${tagBadgeHash(GUILD)}.png`, 404],
  ['/', 404],
  [`${still}.gif`, 415],
  [still, 415],
  [`/guild-tag-badges/${badge}.gif`, 415],
  [`/assets/collectibles/${NAMEPLATE_ASSETS[0]}img.webp`, 415],
  ['/embed/avatars/6.png', 404],
])('the CDN refuses %s with %i', (path, status) => expect(cdn(path, '').status).toBe(status));

it('avatars move only where they can and were asked to', () => {
  const isAnimated = (path: string, query: string): boolean =>
    Buffer.from(cdn(path, query).body).includes('ANMF');
  expect(isAnimated(`${moving}.webp`, 'size=16&animated=true')).toBe(true);
  expect(isAnimated(`${moving}.webp`, 'size=16')).toBe(false);
  expect(isAnimated(`${still}.webp`, 'size=16&animated=true')).toBe(false);
});
