import { describe, expect, it } from 'vitest';
import { readReadiness } from '#test/support/admin-client.ts';
import { PROFILE } from '#test/support/profile.ts';
import { startTestApp, useTestApp } from '#test/support/test-app.ts';

const ORDINARY = PROFILE.id;
const UNKNOWN = '794354273277177873';

const test = await useTestApp();
const asked = (): number => test.sandbox.stats().requests;

describe('POST /lookup', () => {
  it('§88, 120, 196 answers with the profile, in exactly the fields of the contract', async () => {
    const response = await test.lookUp(ORDINARY);
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toEqual({
      ...PROFILE,
      avatar_url: expect.stringMatching(/^http:.*\/avatars\/\d{18}\/[0-9a-f]{32}\.png\?size=512$/),
      banner_url: expect.stringMatching(/^http:.*\/banners\/\d{18}\/[0-9a-f]{32}\.png\?size=1024$/),
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
      looked_up_at: new Date(test.system.clock.wallMs()).toISOString(),
      pictures: {
        expires_at: expect.any(String),
        avatar_url: expect.stringMatching(/^\/picture\/[\w-]{33}\/avatars\//),
        banner_url: expect.stringMatching(/^\/picture\/[\w-]{33}\/banners\//),
        badge_url: null,
        avatar_decoration_url: null,
        nameplate: null,
      },
    });
  });

  it('§117–118, 197 answers 404 with id and creation time when the platform knows nobody', async () => {
    const response = await test.lookUp(UNKNOWN);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ id: UNKNOWN, created_utc: '2021-01-01T00:00:17.137Z' });
  });

  it.each([
    ['', 400, 'id-missing', 'Enter a Discord snowflake to lookup.'],
    ['000000000000000000', 400, 'id-zero', 'Zero isn’t a valid Discord ID.'],
    ['9223372036854775808', 400, 'id-too-large', 'This number is too large to be a Discord ID.'],
    [
      '9223372036854775807',
      400,
      'id-future',
      'This ID is dated in the future, so it can’t belong to anyone yet.',
    ],
    ['12a4', 400, 'id-malformed', 'A Discord ID is all digits. Paste the ID, a mention or a profile link.'],
  ])('§122, 198 refuses %j and spends no proof on it', async (id, status, code, error) => {
    const before = asked();
    const proof = await test.proof();
    const refusal = await test.postLookup({ discord_id: id, proof });
    expect([refusal.statusCode, refusal.json()]).toEqual([status, { error, code }]);
    expect(asked()).toBe(before);
    expect((await test.postLookup({ discord_id: ORDINARY, proof })).statusCode).toBe(200);
  });

  it('§161, 181 wants a proof, and each proof once', async () => {
    const without = await test.postLookup({ discord_id: ORDINARY });
    expect([without.statusCode, without.json()]).toEqual([
      400,
      { error: 'Complete the Altcha challenge to continue.', code: 'proof-missing' },
    ]);
    const proof = await test.proof();
    // A mention stands for the id in it.
    expect((await test.postLookup({ discord_id: `<@!${ORDINARY}>`, proof })).statusCode).toBe(200);
    const again = await test.postLookup({ discord_id: ORDINARY, proof });
    expect([again.statusCode, again.json().code]).toEqual([403, 'proof-used']);
  });

  it.each([
    ['that somebody has', ORDINARY, 200, 600_000, '599'],
    ['that nobody has', UNKNOWN, 404, 60_000, undefined],
  ])('asks once for an id %s, however many want it, and again later', async (_, id, status, keptMs, age) => {
    await test.system.advance(600_001);
    const before = asked();
    const answers = await Promise.all(Array.from({ length: 200 }, () => test.lookUp(id)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([status]));
    await test.system.advance(keptMs - 1_000);
    const cached = await test.lookUp(id);
    expect([cached.headers['age'], asked()]).toEqual([age, before + 1]);
    await test.system.advance(1_001);
    await test.lookUp(id);
    expect(asked()).toBe(before + 2);
  });
});

it('what Discord has added is named to the operator once, and nothing that could be more than a name', async () => {
  const odd = { id_80351110224678912: 1, 'a name of somebody': 2, ['x'.repeat(41)]: 3, 'MTA0.Gx-token': 4 };
  const many = Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`field_${'x'.repeat(n % 33)}`, n]));
  await using site = await startTestApp();
  const { system } = site;
  const lookUpUser = async (fields: object) => {
    const id = String(BigInt(ORDINARY) + BigInt(system.random.integer(1e6)));
    const body = JSON.stringify({ id, username: 'nelly', ...fields });
    site.sandbox.faults.set({ answer: { value: { status: 200, contentType: 'application/json', body } } });
    expect((await site.settle(site.lookUp(id))).statusCode).toBe(200);
  };
  await lookUpUser({
    typing_style: [1],
    collectibles: { nameplate: null, frame: { asset: 'secret' } },
    ...odd,
  });
  await lookUpUser({ typing_style: null });
  const { status, body } = await readReadiness(site.app);
  expect([status, body['unknown_fields']]).toEqual([200, ['typing_style', 'collectibles.frame']]);
  const logged = () => site.logs().match(/"field":"[^"]*"/g);
  expect(logged()).toEqual(['"field":"typing_style"', '"field":"collectibles.frame"']);
  await lookUpUser(many);
  expect(logged()).toHaveLength(20);
});
