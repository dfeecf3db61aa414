import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseVanityName } from '#server/vanity/vanity-links.ts';
import type { VanityLinkRow } from '#server/storage/schema.ts';
import { registeredPaths } from '#test/support/registered-routes.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { addVanityLink } from '#test/support/vanity-link.ts';

const addLink = (test: TestApp, fields?: Partial<VanityLinkRow>) =>
  addVanityLink(test, test.system.clock.wallMs(), fields);

const follow = ({ app }: TestApp, path: string) => app.server.inject(path);

describe('a vanity link', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    await addLink(test);
    await addLink(test, { name: 'resting', paused_because: 'operator' });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const SPELLINGS = ['/lounge', '/Lounge', '/lounge?from=poster', '/lounge/', '/Lounge/?from=poster'];
  it.each(SPELLINGS)('§12 %s leads to the invite', async (path) => {
    const answer = await follow(test, path);
    expect(answer.statusCode).toBe(302);
    expect(answer.headers).toMatchObject({
      location: 'https://discord.gg/whoflake',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.body).not.toContain('Canary');
  });

  it('that is paused says so, and leads nowhere', async () => {
    const answer = await follow(test, '/resting');
    expect(answer.statusCode).toBe(404);
    expect(answer.headers).not.toHaveProperty('location');
    expect(answer.headers).toMatchObject({ 'x-robots-tag': 'noindex' });
    expect(answer.body).toContain('resting operator');
  });

  it('takes nothing but to be followed', async () => {
    const nobodys = await follow(test, '/nobody');
    expect([nobodys.statusCode, nobodys.body]).toEqual([404, expect.stringContaining('Page not found')]);
    const head = await test.app.server.inject({ method: 'HEAD', url: '/lounge' });
    expect([head.statusCode, head.headers.location, head.body]).toEqual([
      302,
      'https://discord.gg/whoflake',
      '',
    ]);
    expect((await test.app.server.inject({ method: 'POST', url: '/lounge' })).statusCode).toBe(404);
  });

  it('never takes the place of a route', () => {
    const firstParts = registeredPaths(test.app).flatMap(
      (path) => /^\/([a-z][a-z-]+)(?![.\w-])/.exec(path)?.[1] ?? [],
    );
    expect(firstParts).toContain('lookup');
    expect(firstParts.filter((part) => parseVanityName(part).ok)).toEqual([]);
  });
});

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;
const stateOf = async (test: TestApp) => (await test.records.vanityLinks.find('lounge'))?.paused_because;

describe('the invite behind a link', () => {
  it('is asked about once a day, without a token, and the link goes on, even if there is no answer', async () => {
    await using test = await startTestApp({ tokens: 0 });
    await addLink(test);
    const asked = () => test.sandbox.stats().requests;
    const before = asked();
    await test.pass(DAY_MS - HALF_HOUR_MS, HALF_HOUR_MS);
    expect(asked()).toBe(before);
    await test.pass(HALF_HOUR_MS + 120_000, 60_000);
    expect(asked()).toBe(before + 1);
    // Also while nobody can be asked.
    await test.sandbox.close();
    await test.pass(DAY_MS + 240_000, HALF_HOUR_MS);
    expect(await stateOf(test)).toBeNull();
    expect((await follow(test, '/lounge')).statusCode).toBe(302);
  });

  it.each([
    ['another server', 'invite-changed', '673347428472057875'],
    ['nobody any more', 'invite-gone', null],
  ] as const)('that leads to %s pauses the link, in the database too', async (_, reason, guildId) => {
    await using test = await startTestApp({ tokens: 0 });
    await addLink(test);
    test.sandbox.setInviteGuild('whoflake', guildId);
    await test.pass(DAY_MS - HALF_HOUR_MS, HALF_HOUR_MS);
    await test.pass(HALF_HOUR_MS, 60_000);
    await test.pass(125_000, 500);
    const answer = await follow(test, '/lounge');
    expect([answer.statusCode, answer.body]).toEqual([404, expect.stringContaining(reason)]);
    expect(await stateOf(test)).toBe(reason);
    expect(test.logs()).toContain(`"event":"vanity-link-paused","because":"${reason}"`);
    expect(test.logs()).not.toMatch(/lounge|Canary|whoflake"/);
  });
});
