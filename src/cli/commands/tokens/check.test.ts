import { describe, expect, it } from 'vitest';
import { countInvalid, NEW_STANDING, type Standing } from '#server/rules/standing.ts';
import { openStandingJournal, SERVER } from '#server/state/standing-journal.ts';
import { realSystem } from '#server/system.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import { READY, useAdminListener } from '#test/support/admin-listener.ts';
import { useOperator } from '#test/support/operator.ts';

const admin = useAdminListener();
const site = useOperator(({ addTokens }) => addTokens(5));
const { ops, printed, json, look } = site;
const tokenOf = (n: number): string => site.sandbox.mintToken(n);

type Checked = { tokens: { state: string; id: string; kind: string; verdict: string }[]; error?: string };

/** What a server on this folder knows, or has known before it stopped. */
const noteOfServer = (standing: Partial<Standing>) =>
  look(async ({ database }) => {
    const journal = await openStandingJournal({ clock: realSystem.clock, database, who: SERVER });
    await journal.keep({ ...NEW_STANDING, ...standing }, {});
  });

/** Makes its row one that no key opens. */
const alter = (token: string) =>
  look(async ({ database, donatedTokens, vault }) => {
    const rows = await donatedTokens.all();
    const row = rows.find((one) => openRow(vault, one)?.secret.reveal() === token);
    await database
      .updateTable('donated_token')
      .set({ ciphertext: new Uint8Array(40) })
      .where('id', '=', row?.id ?? '')
      .execute();
  });

describe('stored tokens', () => {
  it('are checked one a second, and none is deleted', { tags: 'slow' }, async () => {
    expect(await ops(['tokens', 'check'])).toMatchObject({ exitCode: 0 });
    site.sandbox.revoke(tokenOf(2));
    site.sandbox.setGuildCount(tokenOf(3), 3);
    await alter(tokenOf(4));
    const wrongId = { value: true, token: tokenOf(5), route: 'users/@me' } as const;
    site.sandbox.faults.set({ wrongId });
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    const { tokens: checked, ...rest } = await json<Checked>(['tokens', 'check'], { pause });
    expect(rest).toEqual({ state: 'failed' });
    expect(checked.map(({ state, verdict }) => `${state} ${verdict}`).toSorted()).toEqual([
      'failed in-servers',
      'failed not-a-bot',
      'failed rejected',
      'failed unreadable',
      'ok good',
    ]);
    const { tokens: listed } = await json<{ tokens: { id: string; opens: boolean }[] }>(['tokens', 'list']);
    expect(checked.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
    expect(checked.find(({ verdict }) => verdict === 'unreadable')?.id).toBe(
      listed.find(({ opens }) => !opens)?.id,
    );
    expect(pauses).toEqual([1_000, 1_000, 1_000]);
    expect((await json<Checked>(['tokens', 'list'])).tokens).toHaveLength(5);
  });

  it('of another platform are listed and named by the doctor, but nobody is asked about them', async () => {
    const env = { PLATFORM: 'discord' };
    expect(await json(['tokens', 'check'], { env })).toEqual({ state: 'ok', tokens: [] });
    expect(site.sandbox.stats().requests).toBe(0);
    const { tokens } = await json<Checked>(['tokens', 'list'], { env });
    expect(tokens.map(({ state }) => state)).toEqual(Array(5).fill('other-platform'));
    expect(await printed(['doctor'], { env })).toMatch(
      /^warning +keyring +opens 5 stored tokens, of which some were donated with PLATFORM=sandbox, and are not used$/m,
    );
  });

  it('are not checked with another platform than the one that the running server uses', async () => {
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

  it('are no longer asked about once the platform is gone', async () => {
    site.sandbox.faults.set({ reset: true });
    const { exitCode, stdout } = await ops(['tokens', 'check', '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      state: 'failed',
      tokens: ['unclear', 'unclear', 'unclear', 'not-asked', 'not-asked'].map((verdict) =>
        expect.objectContaining({ verdict }),
      ),
      error: 'The platform failed to answer 3 times in a row: try again later.',
    });
  });

  it('are not asked about while the platform may take offence', async () => {
    await noteOfServer({ invalid: [{ startMs: Date.now(), count: 250 }] });
    const sentence = /^1 .*Too many invalid requests were sent to the platform in the last ten/s;
    expect(await printed(['tokens', 'check'])).toMatch(sentence);
    expect(await printed(['tokens', 'add'], { input: tokenOf(9) })).toMatch(sentence);
    expect(site.sandbox.stats().requests).toBe(0);
  });

  it.each([['tokens', 'check'], ['tokens', 'add'], ['vanity', 'add', 'snow', 'whoflake'], ['doctor']])(
    'and nothing else is asked while the platform blocks the server: %s %s',
    async (...argv) => {
      const nowMs = Date.now();
      await noteOfServer({
        bans: { getUser: { sinceMs: nowMs, untilMs: nowMs + 3_600_000, probeUntilMs: 0 } },
      });
      expect(await printed(argv, { input: tokenOf(9) })).toMatch(
        /The platform is not asked anything until 20\S+Z: the platform is blocking our address/,
      );
      expect(site.sandbox.stats().requests).toBe(0);
    },
  );

  it('count for the server where the platform rejects them, and a ban that they meet stops the next', async () => {
    for (const n of [1, 2]) site.sandbox.revoke(tokenOf(n));
    await ops(['tokens', 'check']);
    site.sandbox.faults.set({ ban: { form: 'html', retryAfterMs: 3_600_000 } });
    await ops(['tokens', 'check']);
    await look(async ({ database }) => {
      const journal = await openStandingJournal({ clock: realSystem.clock, database, who: SERVER });
      expect(journal.others().flatMap(({ bans }) => Object.keys(bans))).toEqual(['getOwnUser']);
      expect(countInvalid(journal.others(), Date.now())).toBe(3);
    });
    site.sandbox.faults.clear();
    const { requests } = site.sandbox.stats();
    expect(await printed(['tokens', 'check'])).toContain('the platform is blocking our address');
    expect(site.sandbox.stats().requests).toBe(requests);
  });

  it('are no longer asked about once the platform has turned down twenty in one run', async () => {
    await site.addTokens(22);
    const tokens = Array.from({ length: 22 }, (_, index) => tokenOf(index + 1));
    for (const token of tokens) site.sandbox.revoke(token);
    const env = { EGRESS_PER_SECOND: '10000' };
    const { tokens: checked, error } = await json<Checked>(['tokens', 'check'], { env });
    const verdicts = checked.map(({ verdict }) => verdict);
    expect(verdicts).toEqual([...Array<string>(20).fill('rejected'), 'not-asked', 'not-asked']);
    expect(error).toContain('rejected 20 tokens');
  });
});
