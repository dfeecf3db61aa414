import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from '#shared/languages.ts';
import { vanityLink } from '#test/support/vanity-link.ts';
import { parseInviteCode } from './invites.ts';
import type { VanityLinkStore } from './vanity-link-store.ts';
import { createVanityLinks } from './vanity-links.ts';
import { parseVanityName } from './vanity-name.ts';

const NAMES = [...'qx my-server no-way ice a1 1a 0-0x'.split(' '), 'a'.repeat(32)];
it.each([...NAMES.map((name) => [name, name]), ['My-Server', 'my-server']])(
  'a vanity name may be %s, in any case',
  (text = '', name) => expect(parseVanityName(text)).toEqual({ ok: true, name }),
);

const MALFORMED = [
  '',
  'a b',
  'ab\n',
  'a'.repeat(33),
  ...'a -ab ab- a_b a.b ä-b a/b %61b ﬀab \u212Aelvin'.split(' '),
];
const TAKEN = 'lookup Donate token-donation status privacy healthz assets admin openapi texts'.split(' ');
const COULD_BE = ['ab', 'xh', 'FIL', 'yue', 'zh-tw', 'de-zz', 'zh-hant', 'sr-latn'];
it.each([
  ...MALFORMED.map((text) => ['malformed', text]),
  // People would take it for an ID.
  ['digits-only', '80351110224678912'],
  ...[...TAKEN, ...LANGUAGE_CODES, ...COULD_BE].map((text) => ['reserved', text]),
])('%s: no vanity name is %j', (problem, text = '') =>
  expect(parseVanityName(text)).toEqual({ ok: false, problem }),
);

const INVITES = 'abc-DEF1 discord.gg/abc-DEF1 https://discord.gg/abc-DEF1/ http://www.discord.gg/abc-DEF1';
const MORE =
  'https://discord.com/invite/abc-DEF1 https://discordapp.com/invite/abc-DEF1 HTTPS://DISCORD.GG/abc-DEF1';
it.each([...INVITES.split(' '), ...MORE.split(' '), ' abc-DEF1 '])('an invite is taken from %s', (text) =>
  expect(parseInviteCode(text)).toBe('abc-DEF1'),
);

const ELSEWHERE =
  'https://discord.gg.example.org/abc https://example.org/discord.gg/abc https://user@discord.gg/abc';
const WRONG =
  'https://discord.gg/ https://discord.gg/abc/def https://discord.gg/abc?x=1 https://discord.gg/%61bc';
const OTHER = 'a https://discord.com/abc javascript:abc //discord.gg/abc ../abc аbc';
it.each([...[ELSEWHERE, WRONG, OTHER].join(' ').split(' '), '', 'x'.repeat(33), 'ab\nc'])(
  'no invite is taken from %j',
  (text) => expect(parseInviteCode(text)).toBeNull(),
);

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

it.each(['../../x?redirect=https://evil.example', 'ab\r\nset-cookie: a=b', '@evil.example', 7, null])(
  'a row with the invite %j, which we cannot have written, leads nowhere',
  async (invite_code) => {
    const links = await linksOf({ name: 'odd', invite_code: invite_code as string }, { name: 'good' });
    expect(links.follow('odd')).toBeUndefined();
    expect(links.follow('good')).toMatchObject({ kind: 'invite' });
  },
);
