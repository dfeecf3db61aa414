import { describe, expect, it } from 'vitest';
import type { Profile } from '#shared/contract/profile.ts';
import { startTestApp } from '#test/support/test-app.ts';

const ORDINARY = '441997505123577857';
const ADORNED = '776367000573177858';
const UNKNOWN = '794354273277177873';

describe('a lookup', () => {
  it('answers with the profile, in exactly the fields of the contract', async () => {
    await using test = await startTestApp();
    const response = await test.lookUp(ORDINARY);
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toEqual({
      id: ORDINARY,
      username: 'marlow.finch',
      display_name: 'Marlow Finch',
      global_name: 'Marlow Finch',
      discriminator: '0',
      avatar_url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/avatars\/441997505123577857\/[0-9a-f]{32}\.png\?size=512$/,
      ),
      banner_url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/banners\/441997505123577857\/[0-9a-f]{32}\.png\?size=1024$/,
      ),
      created_at: '2018-05-04T16:20:17.137Z',
      badge_url: null,
      accent_color: '#4f7cac',
      banner_color: '#4f7cac',
      flags: [
        { id: 'HYPESQUAD_ONLINE_HOUSE_1', name: 'House Bravery Member', image: '/badges/house-bravery.svg' },
        {
          id: 'PREMIUM_EARLY_SUPPORTER',
          name: 'Early Nitro Supporter',
          image: '/badges/early-supporter.svg',
        },
      ],
      public_flags: 576,
      clan: null,
      primary_guild: null,
      bot: false,
      system: false,
      avatar_decoration_url: null,
      nameplate: null,
      display_name_styles: null,
    });
  });

  it('answers with what the person has put on', async () => {
    await using test = await startTestApp();
    const { cdnUrl } = test.platformUrls;
    expect((await test.lookUp(ADORNED)).json()).toMatchObject({
      id: ADORNED,
      avatar_decoration_url: expect.stringMatching(
        /\/avatar-decoration-presets\/a_[0-9a-f]{32}\.png\?size=256&passthrough=true$/,
      ),
      nameplate: {
        static_url: `${cdnUrl}/assets/collectibles/nameplates/nameplates/twilight/static.png`,
        animated_url: `${cdnUrl}/assets/collectibles/nameplates/nameplates/twilight/img.png`,
        label: 'COLLECTIBLES_NAMEPLATES_TWILIGHT_A11Y',
        palette: 'cobalt',
      },
      display_name_styles: { font: 'pixelify', effect: 'gradient', colors: ['#7a4fd0', '#3fd0c9'] },
    });
  });

  it('tells bots and the platform’s own accounts from people', async () => {
    await using test = await startTestApp();
    expect((await test.lookUp('615850567062777861')).json()).toMatchObject({ bot: true, system: false });
    expect((await test.lookUp('694081209120777874')).json()).toMatchObject({ bot: false, system: true });
  });

  it('answers with pictures that the CDN has', async () => {
    await using test = await startTestApp();
    const profile = (await test.lookUp(ADORNED)).json<Profile>();
    const urls = [
      profile.avatar_decoration_url,
      profile.nameplate?.static_url,
      profile.nameplate?.animated_url,
    ];
    for (const url of urls) expect((await fetch(String(url))).status).toBe(200);
  });

  it('answers 404 with id and creation time when the platform knows nobody', async () => {
    await using test = await startTestApp();
    const response = await test.lookUp(UNKNOWN);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ id: UNKNOWN, created_utc: '2021-01-01T00:00:17.137Z' });
  });

  it.each([
    ['<@441997505123577857>'],
    ['<@!441997505123577857>'],
    ['  441997505123577857\n'],
    ['https://discord.com/users/441997505123577857'],
  ])('takes %j for the id in it', async (text) => {
    await using test = await startTestApp();
    expect((await test.lookUp(text)).json()).toMatchObject({ username: 'marlow.finch' });
  });

  it.each([
    ['', 400, 'id-missing', 'Enter a Discord snowflake to lookup.'],
    ['   ', 400, 'id-missing', 'Enter a Discord snowflake to lookup.'],
    ['000000000000000000', 400, 'id-zero', "Zero isn't a valid Discord ID."],
    ['9223372036854775808', 400, 'id-too-large', 'This number is too large to be a Discord ID.'],
    [
      '9223372036854775807',
      400,
      'id-future',
      "This ID is dated in the future, so it can't belong to anyone yet.",
    ],
    ['12a4', 400, 'id-malformed', 'A Discord ID is all digits. Paste the ID, a mention or a profile link.'],
  ])('refuses %j and spends no proof on it', async (id, status, code, error) => {
    await using test = await startTestApp();
    const proof = await test.proof();
    const refusal = await test.postLookup({ discord_id: id, proof });
    expect([refusal.statusCode, refusal.json()]).toEqual([status, { error, code }]);
    expect((await test.postLookup({ discord_id: ORDINARY, proof })).statusCode).toBe(200);
    expect(test.sandbox.stats().requests).toBe(1);
  });

  it('wants a proof, and each proof once', async () => {
    await using test = await startTestApp();
    const without = await test.postLookup({ discord_id: ORDINARY });
    expect([without.statusCode, without.json()]).toEqual([
      400,
      { error: 'Complete the Altcha challenge to continue.', code: 'proof-missing' },
    ]);
    const proof = await test.proof();
    expect((await test.postLookup({ discord_id: ORDINARY, proof })).statusCode).toBe(200);
    const again = await test.postLookup({ discord_id: ORDINARY, proof });
    expect([again.statusCode, again.json().code]).toEqual([403, 'proof-used']);
  });

  it('asks the platform once for an id that many want at once, and again after ten minutes', async () => {
    await using test = await startTestApp();
    const answers = await Promise.all(Array.from({ length: 200 }, () => test.lookUp(ORDINARY)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(test.sandbox.stats().requests).toBe(1);
    await test.system.advance(599_000);
    const cached = await test.lookUp(ORDINARY);
    expect([cached.headers['age'], test.sandbox.stats().requests]).toEqual(['599', 1]);
    await test.system.advance(1_001);
    await test.lookUp(ORDINARY);
    expect(test.sandbox.stats().requests).toBe(2);
  });

  it('remembers for a minute that nobody has an id', async () => {
    await using test = await startTestApp();
    await test.lookUp(UNKNOWN);
    await test.system.advance(59_000);
    await test.lookUp(UNKNOWN);
    expect(test.sandbox.stats().requests).toBe(1);
    await test.system.advance(1_001);
    await test.lookUp(UNKNOWN);
    expect(test.sandbox.stats().requests).toBe(2);
  });

  it('names the request field after the platform', async () => {
    await using test = await startTestApp({ env: { PLATFORM_NAME: 'Chat & Co' } });
    const response = await test.postLookup({ chat_co_id: ORDINARY, proof: await test.proof() });
    expect(response.statusCode).toBe(200);
    const empty = await test.postLookup({ chat_co_id: '' });
    expect(empty.json().error).toBe('Enter a Chat & Co snowflake to lookup.');
  });
});
