import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from '#shared/languages.ts';
import { createFakePlatform } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { startTestApp } from '#test/support/test-app.ts';
import { vanityLink } from '#test/support/vanity-link.ts';
import {
  createCheckLink,
  createVanityLinks,
  parseInviteCode,
  parseVanityName,
  type VanityLinkStore,
} from './vanity-links.ts';

const NAMES = [...'my-server no-way ice a1 1a 0-0x'.split(' '), 'a'.repeat(32)];
it.each([...NAMES.map((name) => [name, name]), ['My-Server', 'my-server']])(
  'a vanity name may be %s, in any case',
  (text = '', name) => expect(parseVanityName(text)).toEqual({ ok: true, name }),
);

const MALFORMED = ['', 'a b', 'ab\n', 'a'.repeat(33), ...'a -ab ab- a_b ä-b a/b %61b \u212Aelvin'.split(' ')];
const TAKEN = 'lookup Donate status healthz assets admin openapi'.split(' ');
const COULD_BE = ['ab', 'qx', 'zh-tw', 'de-zz', 'zh-hant'];
it.each([
  ...MALFORMED.map((text) => ['malformed', text]),
  // People would take it for an ID.
  ['digits-only', '80351110224678912'],
  ...[...TAKEN, ...LANGUAGE_CODES, ...COULD_BE].map((text) => ['reserved', text]),
])('%s: no vanity name is %j', (problem, text = '') =>
  expect(parseVanityName(text)).toEqual({ ok: false, problem }),
);

const INVITES = 'abc-DEF1 discord.gg/abc-DEF1 http://www.discord.gg/abc-DEF1 HTTPS://DISCORD.GG/abc-DEF1';
const NONE = 'a https://discord.gg.example.org/abc https://example.org/discord.gg/abc https://discord.gg/';
const ODD = 'https://discord.gg/abc/def https://discord.gg/%61bc javascript:abc ../abc //discord.gg/abc';
it.each([
  ...[...INVITES.split(' '), 'https://discord.com/invite/abc-DEF1/'].map((text) => [text, 'abc-DEF1']),
  ...[...NONE.split(' '), ...ODD.split(' '), 'x'.repeat(33), 'ab\nc'].map((text) => [text, null]),
])('from %j is taken the invite %s', (text, code) => expect(parseInviteCode(text ?? '')).toBe(code));

const linksOf = async (...rows: Parameters<typeof vanityLink>[0][]) => {
  const all = async () => rows.map((fields) => vanityLink(fields));
  const links = createVanityLinks({ all } as VanityLinkStore);
  await links.refresh();
  return links;
};

it('a link keeps working though its name is reserved by now, in any case', async () => {
  const links = await linksOf({ name: 'status' }, { name: 'de' });
  for (const name of ['status', 'STATUS', 'de']) expect(links.follow(name)).toMatchObject({ kind: 'invite' });
  expect(links.follow('\u212Aelvin')).toBeUndefined();
});

it.each(['../../x?redirect=https://evil.example', 7])(
  'a row with the invite %j, which we cannot have written, leads nowhere',
  async (invite_code) => {
    const links = await linksOf({ name: 'odd', invite_code: invite_code as string }, { name: 'good' });
    expect(links.follow('odd')).toBeUndefined();
    expect(links.follow('good')).toMatchObject({ kind: 'invite' });
  },
);

it('a link that the operator pauses while its invite is being asked about stays as it was paused', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const { vanityLinks } = test.records;
  await vanityLinks.add(vanityLink());
  const system = createFakeSystem();
  const getInvite = async () => {
    await vanityLinks.update('lounge', { paused_because: 'operator' });
    return { kind: 'not-found', reading: null } as const;
  };
  const platform = createFakePlatform({ system, client: { getInvite } });
  await createCheckLink(system.clock, vanityLinks, platform)(vanityLink());
  expect(await vanityLinks.find('lounge')).toMatchObject({ paused_because: 'operator' });
});
