import { expect, it } from 'vitest';
import type { ProfileAnswer } from '../../../read-profile.ts';
import { PROFILE } from '#test/support/profile.ts';
import { fullTextStore } from '#test/support/texts.ts';
import { profileMarkdown } from './profile-markdown.ts';

const texts = fullTextStore('en');
const LINK = 'https://whoflake.example/?id=441997505123577857';
const PROFILE_ANSWER: Omit<ProfileAnswer, 'pictures'> = {
  ...PROFILE,
  primary_guild: { tag: 'SNOW', identity_guild_id: '332779590571257874' },
  looked_up_at: '2026-11-17T00:00:00.000Z',
};
const linesOf = (changes: Partial<ProfileAnswer> = {}): string[] =>
  profileMarkdown({ ...PROFILE_ANSWER, ...changes }, LINK, texts).split('\n');

it('the report for moderators says whom it is about, since when and from where', () => {
  expect(linesOf()).toEqual([
    '**Marlow Finch** (marlow.finch)',
    '- ID: `441997505123577857`',
    '- Account type: User',
    '- Created: <t:1525450817:F> (<t:1525450817:R>)',
    '- Badges: None',
    '- Primary Guild: SNOW (server `332779590571257874`)',
    '- Avatar: <https://cdn.example/avatars/1/2.png>',
    `- Looked up <t:1794873600:F> with Whoflake: <${LINK}>`,
  ]);
});

it('the report for moderators lets a name be nothing but a name', () => {
  const hostile = '**@everyone**\n# <@&1> `x` ||y|| [a](b)\u202e';
  const [first, second] = linesOf({ display_name: hostile });
  const escaped = String.raw`**\*\*\@everyone\*\*\# \<\@&1\> \`x\` \|\|y\|\| \[a\]\(b\)**`;
  expect(first).toBe(`${escaped} (marlow.finch)`);
  expect(second).toMatch(/^- ID/);
});
