import { describe, expect, it } from 'vitest';
import { createFindUser, generatedUser } from './generated-profiles.ts';
import { SAMPLE_USERS, UNKNOWN_USER_ID } from './sample-profiles.ts';
import type { UserObject } from './user-object.ts';

const NOW_MS = Date.UTC(2026, 10, 15);
const findUser = createFindUser({ notFoundShare: 0.08, now: () => NOW_MS, isBot: () => false });

const manyIds = Array.from({ length: 3_000 }, (_, index) =>
  String(250_000_000_000_000_000n + BigInt(index) * 98_765_432_109n),
);
const everyone = manyIds.flatMap((id) => findUser(id) ?? []);
const shareOf = (matches: (user: UserObject) => boolean): number =>
  everyone.filter(matches).length / everyone.length;

describe('generated users', () => {
  it('are the same every time', () => {
    for (const id of manyIds.slice(0, 50)) expect(findUser(id)).toEqual(generatedUser(id, 0.08));
  });

  it('are missing in the share asked for', () => {
    expect(1 - everyone.length / manyIds.length).toBeCloseTo(0.08, 1);
    expect(manyIds.filter((id) => generatedUser(id, 0) === undefined)).toEqual([]);
    expect(manyIds.filter((id) => generatedUser(id, 1) !== undefined)).toEqual([]);
  });

  it('differ in everything that a client must cope with', () => {
    const traits: ((user: UserObject) => boolean)[] = [
      (user) => user.avatar === null,
      (user) => user.avatar?.startsWith('a_') === true,
      (user) => user.banner !== null,
      (user) => user.bot === true && /^\d{4}$/.test(user.discriminator) && user.global_name === null,
      (user) => user.bot !== true && user.discriminator !== '0',
      (user) => user.username.startsWith('deleted_user_'),
      (user) => !('clan' in user),
      (user) => user.clan === null,
      (user) => user.primary_guild?.identity_enabled === true,
      (user) => user.primary_guild?.identity_enabled === false,
      (user) => 'vad_colors' in user,
      (user) => user.accent_color === 0,
      (user) => typeof user.avatar_decoration_data?.sku_id === 'string',
      (user) => user.avatar_decoration_data?.asset.startsWith('a_') === true,
      (user) => typeof user.avatar_decoration_data?.expires_at === 'number',
      (user) => (user.display_name_styles?.['colors'] as number[] | undefined)?.length === 5,
    ];
    for (const trait of traits) expect(shareOf(trait), trait.toString()).toBeGreaterThan(0.001);
  });
});

describe('well-known users', () => {
  it('have ids from before 2024, and are found', () => {
    for (const [id, user] of SAMPLE_USERS) {
      expect(Number(BigInt(id) >> 22n) + 1_420_070_400_000).toBeLessThan(Date.UTC(2024, 0, 1));
      expect(findUser(id)).toBe(user);
    }
    expect(findUser(UNKNOWN_USER_ID)).toBeUndefined();
  });

  it('do not include ids that are too small or not yet given out', () => {
    expect(findUser('4194304')).toBeUndefined();
    expect(findUser('00441997505123577857')).toBeUndefined();
    expect(findUser(String(BigInt(NOW_MS - 1_420_070_400_000 + 1_000) << 22n))).toBeUndefined();
  });
});
