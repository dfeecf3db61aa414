import { describe, expect, it } from 'vitest';
import { startOperator, type Operator } from '#test/support/operator.ts';

type LinkList = { links: Record<string, unknown>[] };
const linksOf = async ({ json }: Operator) => (await json<LinkList>(['vanity', 'list'])).links;

describe('vanity', () => {
  it('adds a link to the server that the platform names, with notes', async () => {
    await using operator = await startOperator();
    const notes = ['--donor', 'Ada L.', '--eur', '18.50', '--date', '2026-05-01'];
    const invite = 'https://discord.gg/whoflake';
    const outcome = await operator.ops(['vanity', 'add', 'Snow-Drop', invite, ...notes]);
    expect(outcome).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: '/snow-drop leads to Snowdrop Lounge (server 332779590571257874).\n',
    });
    expect(await linksOf(operator)).toEqual([
      expect.objectContaining({
        name: 'snow-drop',
        invite_code: 'whoflake',
        guild_id: '332779590571257874',
        paused_because: null,
        donor: 'Ada L.',
        amount_eur: 18.5,
        donated_on: '2026-05-01',
      }),
    ]);
    expect((await operator.ops(['vanity', 'list'])).stdout).toMatch(
      /^NAME +INVITE .*\nsnow-drop +whoflake +active +\d{4}-\d\d-\d\d +Ada L\. +18\.5 +2026-05-01\n1 link\.\n$/,
    );
  });

  it.each([
    [['a', 'whoflake'], /2 to 32 letters/],
    [['-', 'whoflake'], /2 to 32 letters/],
    [['snöw', 'whoflake'], /2 to 32 letters/],
    [['12345', 'whoflake'], /digits only/],
    [['Donate', 'whoflake'], /^The name donate is reserved/],
    [['snow', 'https://example.org/invite/whoflake'], /Not a Discord invite/],
    [['snow', 'https://discord.gg.example.org/whoflake'], /Not a Discord invite/],
    [['snow', 'https://discord.gg/a/b'], /Not a Discord invite/],
    [['snow', '../etc'], /Not a Discord invite/],
    [['snow', 'expired'], /This invite does not exist/],
    [['snow', 'whoflake', '--eur', '-1'], /^An option of vanity add/],
    [['snow', 'whoflake', '--eur', 'NaN'], /^--eur takes an amount/],
    [['snow', 'whoflake', '--date', '2026-02-30'], /^--date takes a day/],
    [['snow', 'whoflake', '--donor', 'a\nb'], /^--donor takes one line/],
  ])('refuses %j in one sentence, and changes nothing', async (words, sentence) => {
    await using operator = await startOperator();
    await operator.ops(['migrate']);
    const outcome = await operator.ops(['vanity', 'add', ...words]);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
    expect(outcome.stderr.trim()).not.toContain('\n');
    expect(await linksOf(operator)).toEqual([]);
  });

  it('refuses a name that is taken, and fails while the platform does not answer', async () => {
    await using operator = await startOperator();
    await operator.ops(['vanity', 'add', 'snow', 'whoflake']);
    expect(await operator.ops(['vanity', 'add', 'SNOW', 'lantern'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^The name snow is taken/),
    });
    operator.sandbox.faults.set({ status: { value: 503 } });
    for (const words of [
      ['add', 'lamp', 'lantern'],
      ['resume', 'snow'],
    ])
      expect(await operator.ops(['vanity', ...words])).toMatchObject({
        exitCode: 1,
        stderr: 'The platform is not answering properly: nothing was changed.\n',
      });
    expect(await linksOf(operator)).toEqual([expect.objectContaining({ invite_code: 'whoflake' })]);
  });

  it.each(['pause', 'resume', 'remove', 'check'])('%s refuses a name that is not there', async (verb) => {
    await using operator = await startOperator();
    await operator.ops(['migrate']);
    expect(await operator.ops(['vanity', verb, 'nobody', '--yes'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'There is no link with this name: see vanity list.\n',
    });
  });

  it('pauses, resumes and removes', async () => {
    await using operator = await startOperator();
    const { ops } = operator;
    await ops(['vanity', 'add', 'snow', 'whoflake']);
    expect(await ops(['vanity', 'pause', 'Snow'])).toMatchObject({ stdout: '/snow is paused.\n' });
    expect(await linksOf(operator)).toEqual([expect.objectContaining({ paused_because: 'operator' })]);
    expect((await ops(['vanity', 'list'])).stdout).toContain('paused: operator');
    expect(await ops(['vanity', 'resume', 'snow'])).toMatchObject({
      stdout: '/snow leads to Snowdrop Lounge.\n',
    });
    expect(await linksOf(operator)).toEqual([expect.objectContaining({ paused_because: null })]);
    expect(await ops(['vanity', 'remove', 'snow'])).toMatchObject({ exitCode: 2 });
    expect(await ops(['vanity', 'remove', 'snow', '--dry-run'])).toMatchObject({
      exitCode: 0,
      stdout: '/snow would be deleted.\n',
    });
    expect(await linksOf(operator)).toHaveLength(1);
    expect(await ops(['vanity', 'remove', 'snow', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(await linksOf(operator)).toEqual([]);
  });

  it('does not resume a link whose invite leads to another server, unless that is said to be right', async () => {
    await using operator = await startOperator();
    const { ops, sandbox } = operator;
    await ops(['vanity', 'add', 'snow', 'whoflake']);
    await ops(['vanity', 'pause', 'snow']);
    sandbox.setInviteGuild('whoflake', '999999999999999999');
    expect(await ops(['vanity', 'resume', 'snow'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /^The invite now leads to a different server, Snowdrop Lounge: add --repin/,
      ),
    });
    expect(await linksOf(operator)).toEqual([expect.objectContaining({ paused_because: 'operator' })]);
    expect(await ops(['vanity', 'resume', 'snow', '--repin'])).toMatchObject({ exitCode: 0 });
    expect(await linksOf(operator)).toEqual([
      expect.objectContaining({ paused_because: null, guild_id: '999999999999999999' }),
    ]);
    sandbox.setInviteGuild('whoflake', null);
    expect(await ops(['vanity', 'resume', 'snow', '--repin'])).toMatchObject({ exitCode: 2 });
  });

  it('checks every link, one a second, and pauses those that lead elsewhere or nowhere', async () => {
    await using operator = await startOperator();
    const { ops, json, sandbox } = operator;
    for (const code of ['whoflake', 'lantern', 'third']) await ops(['vanity', 'add', `to-${code}`, code]);
    sandbox.setInviteGuild('lantern', '999999999999999999');
    sandbox.setInviteGuild('third', null);
    const pauses: number[] = [];
    expect(await json(['vanity', 'check'], { pause: async (ms) => void pauses.push(ms) })).toEqual({
      state: 'failed',
      links: [
        { name: 'to-lantern', verdict: 'invite-changed' },
        { name: 'to-third', verdict: 'invite-gone' },
        { name: 'to-whoflake', verdict: 'good' },
      ],
    });
    expect(pauses).toEqual([1_000, 1_000]);
    expect(await ops(['vanity', 'check', 'to-whoflake'])).toMatchObject({ exitCode: 0 });
    expect(await ops(['vanity', 'check'])).toMatchObject({ exitCode: 1 });
    expect((await linksOf(operator)).map((link) => link['paused_because'])).toEqual([
      'invite-changed',
      'invite-gone',
      null,
    ]);
    sandbox.faults.set({ status: { value: 500 } });
    expect(await ops(['vanity', 'check', 'to-whoflake'])).toMatchObject({ exitCode: 1 });
  });
});
