import { expect, it } from 'vitest';
import { NEW_STANDING, type Standing } from '#server/platform/standing.ts';
import { openJournals } from '#server/state/state.ts';
import { READY, useAdminListener } from '#test/support/admin-listener.ts';
import { useOperator } from '#test/support/operator.ts';

const admin = useAdminListener();
const site = useOperator(({ addTokens }) => addTokens(5));
const { ops, printed, json, look } = site;
const tokenOf = (n: number): string => site.sandbox.mintToken(n);

type Checked = { state: string; tokens: { state: string; verdict: string }[]; error?: string };

/** What a server on this folder knows, or has known before it stopped. */
const noteOfServer = (standing: Partial<Standing>) =>
  look(async ({ database }) => {
    const { platform } = await openJournals(database);
    await platform.keep({ ...NEW_STANDING, ...standing });
  });

it('stored tokens are checked one a second, and none is deleted', { tags: 'slow' }, async () => {
  expect(await ops(['tokens', 'check'])).toMatchObject({ exitCode: 0 });
  site.sandbox.revoke(tokenOf(2));
  site.sandbox.setGuildCount(tokenOf(3), 3);
  const { tokens: added } = await json<{ tokens: { id: string }[] }>(['tokens', 'add'], {
    input: tokenOf(6),
  });
  await look(({ database }) =>
    database
      .updateTable('donated_token')
      .set({ ciphertext: new Uint8Array(40) })
      .where('id', 'like', `${added[0]?.id}%`)
      .execute(),
  );
  site.sandbox.faults.set({ wrongId: { value: true, token: tokenOf(5), route: 'users/@me' } });
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const { tokens, state } = await json<Checked>(['tokens', 'check'], { pause });
  expect(state).toBe('failed');
  expect(tokens.map((token) => `${token.state} ${token.verdict}`).toSorted()).toEqual([
    'failed in-servers',
    'failed not-a-bot',
    'failed rejected',
    'failed unreadable',
    'ok good',
    'ok good',
  ]);
  expect(pauses).toEqual(Array(4).fill(1_000));
  expect((await json<Checked>(['tokens', 'list'])).tokens).toHaveLength(6);
});

it('no token is checked with another platform than that of the running server', async () => {
  admin.say({ ...READY, platform: 'discord', data_dir: site.dataDir });
  const input = tokenOf(9);
  expect(await printed(['tokens', 'add'], { input, env: admin.env })).toMatch(
    /^2 The running server uses PLATFORM=discord, but these settings say sandbox: give ops the settings/,
  );
  expect(site.sandbox.stats().requests).toBe(0);
  // One with data of its own is somebody else's business.
  admin.say({ ...READY, platform: 'discord', data_dir: '/elsewhere' });
  expect(await ops(['tokens', 'add'], { input, env: admin.env })).toMatchObject({ exitCode: 0 });
});

it('tokens are no longer asked about once the platform is gone, or has turned down twenty in one run', async () => {
  site.sandbox.faults.set({ reset: true });
  const gone = await json<Checked>(['tokens', 'check']);
  expect(gone.error).toBe('The platform failed to answer 3 times in a row: try again later.');
  expect(gone.tokens.map(({ verdict }) => verdict).slice(2)).toEqual(['unclear', 'not-asked', 'not-asked']);
  site.sandbox.faults.clear();
  await site.addTokens(22);
  for (let n = 1; n <= 22; n += 1) site.sandbox.revoke(tokenOf(n));
  const env = { EGRESS_PER_SECOND: '10000' };
  const { tokens, error } = await json<Checked>(['tokens', 'check'], { env });
  expect(tokens.map(({ verdict }) => verdict).slice(19)).toEqual(['rejected', 'not-asked', 'not-asked']);
  expect(error).toContain('rejected 20 tokens');
});

it.each(['tokens check', 'tokens add', 'vanity add snow whoflake', 'doctor'])(
  'nothing is asked while the platform blocks the server, or may take offence: %s',
  async (command) => {
    const nowMs = Date.now();
    const ban = { sinceMs: nowMs, untilMs: nowMs + 3_600_000, probeUntilMs: 0 };
    const told = () => printed(command.split(' '), { input: tokenOf(9) });
    await noteOfServer({ bans: { getUser: ban } });
    expect(await told()).toMatch(/The platform is not asked anything until 20\S+Z: .* blocking our address/);
    await noteOfServer({ invalid: [{ startMs: nowMs, count: 250 }] });
    if (command.startsWith('tokens')) expect(await told()).toMatch(/^1 .*too many requests were invalid/s);
    expect(site.sandbox.stats().requests).toBe(0);
  },
);
