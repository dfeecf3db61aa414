import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

/** The link `snow` leads to the server behind the invite `whoflake`. */
const site = useOperator(({ ops }) => ops(['vanity', 'add', 'snow', 'whoflake']));
const { printed, look } = site;

const vanity = (...words: string[]) => printed(['vanity', ...words]);
const links = () => look(({ vanityLinks }) => vanityLinks.all());

it('a link is added to the server that the platform names, with notes', async () => {
  const notes = ['--donor', 'Ada L.', '--eur', '18.50', '--date', '2026-05-01'];
  expect(await vanity('add', 'Snow-Drop', 'https://discord.gg/whoflake', ...notes)).toBe(
    '0 /snow-drop leads to Snowdrop Lounge (server 332779590571257874).',
  );
  expect(await vanity('list')).toMatch(
    /^0 NAME +INVITE .*\nsnow .*\nsnow-drop +whoflake +active +\d{4}-\d\d-\d\d +Ada L\. +18\.5 +2026-05-01\n2 links\.$/,
  );
});

it.each([
  ['add Donate whoflake', /^The name donate is reserved/],
  ['add snow whoflake --eur 18', /^The name snow is taken/],
  ['add ice https://example.org/invite/whoflake', /Not a Discord invite/],
  ['add ice whoflake --eur 1e3', /^--eur takes an amount/],
  ['add ice whoflake --date 2026-13-01', /^--date takes a day/],
])('vanity %s is refused in one sentence, and changes nothing', async (words, sentence) => {
  const before = await links();
  const [, refusal = ''] = (await vanity(...words.split(' '))).split(/^2 (.*)$/);
  expect(refusal).toMatch(sentence);
  expect(await links()).toEqual(before);
});

it('a link stays as it is while the platform does not answer', async () => {
  site.sandbox.faults.set({ status: { value: 503 } });
  for (const words of ['add lamp lantern', 'resume snow'])
    expect(await vanity(...words.split(' '))).toBe(
      '1 The platform is not answering properly: nothing was changed.',
    );
  expect(await links()).toMatchObject([{ invite_code: 'whoflake', paused_because: null }]);
});

it('a link is not resumed if its invite leads to another server, unless that is said to be right', async () => {
  await vanity('pause', 'snow');
  site.sandbox.setInviteGuild('whoflake', '999999999999999999');
  const refusal =
    /^2 The invite now leads to a different server, Snowdrop Lounge: .* vanity add snow whoflake --replace\.$/;
  expect(await vanity('resume', 'snow')).toMatch(refusal);
  expect(await links()).toMatchObject([{ paused_because: 'operator' }]);
  expect(await vanity('add', 'snow', 'whoflake', '--replace', '--eur', '2')).toMatch(
    /^0 .*\nThe donation is less than VANITY_MIN_EUR, which is 18\.$/,
  );
  expect(await links()).toMatchObject([
    { paused_because: null, guild_id: '999999999999999999', amount_eur: 2 },
  ]);
});
