import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import { useOperator } from '#test/support/operator.ts';

const site = useOperator(({ addTokens }) => addTokens(5));
const { ops, told, json, look, dataDir } = site;
const tokenOf = (n: number): string => site.sandbox.mintToken(n);

type Checked = { tokens: { state: string; id: string; kind: string; verdict: string }[]; reason?: string };

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
  it('are checked one a second, and deleted only if asked to', async () => {
    expect(await ops(['tokens', 'check'])).toMatchObject({ exitCode: 0 });
    site.sandbox.revoke(tokenOf(2));
    site.sandbox.setGuildCount(tokenOf(3), 3);
    await alter(tokenOf(4));
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    const { tokens: checked, ...rest } = await json<Checked>(['tokens', 'check'], { pause });
    expect(rest).toEqual({ state: 'failed', retired: 0 });
    expect(checked.map(({ state, verdict }) => `${state} ${verdict}`).toSorted()).toEqual([
      'failed in-servers',
      'failed rejected',
      'failed unreadable',
      'ok good',
      'ok good',
    ]);
    const { tokens: listed } = await json<{ tokens: { id: string; opens: boolean }[] }>(['tokens', 'list']);
    expect(checked.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
    expect(checked.find(({ verdict }) => verdict === 'unreadable')?.id).toBe(
      listed.find(({ opens }) => !opens)?.id,
    );
    expect(pauses).toEqual([1_000, 1_000, 1_000]);
    expect(await told(['tokens', 'check', '--retire'])).toBe(
      '2 tokens check cannot be undone: add --yes to delete the tokens that the platform rejects without being asked.',
    );
    expect(await ops(['tokens', 'check', '--retire'], { answer: 'no' })).toMatchObject({ exitCode: 2 });
    const dry = await ops(['tokens', 'check', '--retire', '--dry-run']);
    expect(dry.stdout).toContain('5 tokens checked, 1 of them would be deleted.');
    expect((await json<Checked>(['tokens', 'list'])).tokens).toHaveLength(5);
    expect(await json(['tokens', 'check', '--retire'], { answer: 'yes' })).toMatchObject({
      state: 'failed',
      retired: 1,
    });
    expect((await ops(['tokens', 'check'])).stdout).toContain('4 tokens checked, 0 of them deleted.');
  });

  it('end a check with 1 if one of them does not open', async () => {
    await alter(tokenOf(1));
    expect(await ops(['tokens', 'check'])).toMatchObject({ exitCode: 1 });
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
      retired: 0,
      reason: 'The platform failed to answer 3 times in a row: try again later.',
    });
  });

  it('are not asked about while the platform may take offence', async () => {
    const cells = [{ startWallMs: realSystem.clock.wallMs(), count: 250 }];
    writeFileSync(join(dataDir, 'invalid-requests.json'), JSON.stringify(cells));
    const sentence = expect.stringContaining(
      'Too many invalid requests were sent to the platform in the last ten',
    );
    expect(await ops(['tokens', 'check'])).toMatchObject({ exitCode: 1, stdout: sentence });
    expect(await ops(['tokens', 'add'], { input: tokenOf(9) })).toMatchObject({
      exitCode: 1,
      stderr: sentence,
    });
  });

  it('are no longer asked about once the platform has turned down twenty in one run', async () => {
    await site.addTokens(22);
    const tokens = Array.from({ length: 22 }, (_, index) => tokenOf(index + 1));
    for (const token of tokens) site.sandbox.revoke(token);
    const env = { EGRESS_PER_SECOND: '10000' };
    const { tokens: checked, reason } = await json<Checked>(['tokens', 'check'], { env });
    expect(checked.map(({ verdict }) => verdict)).toEqual([
      ...Array<string>(20).fill('rejected'),
      'not-asked',
      'not-asked',
    ]);
    expect(reason).toContain('rejected 20 tokens');
    await ops(['tokens', 'check', '--retire', '--yes'], { env });
    await ops(['tokens', 'check', '--retire', '--yes'], { env });
    const { exitCode, stdout, stderr } = await site.addTokens(22);
    expect(exitCode).toBe(1);
    expect(stdout.match(/was not added: the platform rejected it/g)).toHaveLength(20);
    expect(stderr).toContain('wait ten minutes, then do the rest');
  });
});
