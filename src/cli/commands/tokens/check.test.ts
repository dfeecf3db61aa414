import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import { startOperator } from '#test/support/operator.ts';

describe('stored tokens', () => {
  it('are checked one a second, and deleted only if asked to', async () => {
    await using operator = await startOperator();
    const { ops, json, sandbox } = operator;
    const tokens = [1, 2, 3, 4].map(sandbox.mintToken);
    await ops(['tokens', 'add'], { input: tokens.join('\n') });
    sandbox.revoke(tokens[1] ?? '');
    sandbox.setGuildCount(tokens[2] ?? '', 3);
    await operator.look(async ({ database, donatedTokens, vault }) => {
      const row = (await donatedTokens.all()).find(
        (row) => openRow(vault, row)?.secret.reveal() === tokens[3],
      );
      await database
        .updateTable('donated_token')
        .set({ ciphertext: new Uint8Array(40) })
        .where('id', '=', row?.id ?? '')
        .execute();
    });
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    type Checked = { tokens: { state: string; id: string; kind: string; verdict: string }[] };
    const { tokens: checked, ...rest } = await json<Checked>(['tokens', 'check'], { pause });
    expect(rest).toEqual({ state: 'failed', retired: 0 });
    expect(checked.map(({ state, verdict }) => `${state} ${verdict}`).toSorted()).toEqual([
      'failed in-servers',
      'failed rejected',
      'failed unreadable',
      'ok good',
    ]);
    const { tokens: listed } = await json<{ tokens: { id: string; opens: boolean }[] }>(['tokens', 'list']);
    expect(checked.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
    expect(checked.find(({ verdict }) => verdict === 'unreadable')?.id).toBe(
      listed.find(({ opens }) => !opens)?.id,
    );
    expect(pauses).toEqual([1_000, 1_000]);
    expect(await ops(['tokens', 'check', '--retire'])).toMatchObject({
      exitCode: 2,
      stderr:
        'tokens check cannot be undone: add --yes to delete the tokens that the platform rejects without being asked.\n',
    });
    expect(await ops(['tokens', 'check', '--retire'], { answer: 'no' })).toMatchObject({ exitCode: 2 });
    const dry = await ops(['tokens', 'check', '--retire', '--dry-run']);
    expect(dry.stdout).toContain('4 tokens checked, 1 of them would be deleted.');
    expect((await json<Checked>(['tokens', 'list'])).tokens).toHaveLength(4);
    expect(await json(['tokens', 'check', '--retire'], { answer: 'yes' })).toMatchObject({ retired: 1 });
    expect((await ops(['tokens', 'check'])).stdout).toContain('3 tokens checked, 0 of them deleted.');
  });

  it('that are all good, and no others, end a check with 0', async () => {
    await using operator = await startOperator();
    const { ops, sandbox } = operator;
    await ops(['tokens', 'add'], { input: [1, 2].map(sandbox.mintToken).join('\n') });
    expect(await ops(['tokens', 'check'])).toMatchObject({ exitCode: 0 });
    sandbox.revoke(sandbox.mintToken(1));
    expect(await ops(['tokens', 'check'])).toMatchObject({ exitCode: 1 });
    expect(await ops(['tokens', 'check', '--retire', '--yes'])).toMatchObject({ exitCode: 1 });
    expect(await ops(['tokens', 'check'])).toMatchObject({ exitCode: 0 });
    await operator.look(({ database }) =>
      database
        .updateTable('donated_token')
        .set({ ciphertext: new Uint8Array(40) })
        .execute(),
    );
    expect(await ops(['tokens', 'check'])).toMatchObject({ exitCode: 1 });
  });

  it('are no longer asked about once the platform is gone', async () => {
    await using operator = await startOperator();
    const { ops, sandbox } = operator;
    await ops(['tokens', 'add'], { input: [1, 2, 3, 4, 5].map(sandbox.mintToken).join('\n') });
    sandbox.faults.set({ reset: true });
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
    await using operator = await startOperator();
    const { ops, sandbox, dataDir } = operator;
    await ops(['tokens', 'add'], { input: sandbox.mintToken(1) });
    const cells = [{ startWallMs: realSystem.clock.wallMs(), count: 250 }];
    writeFileSync(join(dataDir, 'invalid-requests.json'), JSON.stringify(cells));
    const sentence = expect.stringContaining(
      'Too many invalid requests were sent to the platform in the last ten',
    );
    expect(await ops(['tokens', 'check'])).toMatchObject({ exitCode: 1, stdout: sentence });
    expect(await ops(['tokens', 'add'], { input: sandbox.mintToken(2) })).toMatchObject({
      exitCode: 1,
      stderr: sentence,
    });
  });

  it('are no longer asked about once the platform has turned down twenty in one run', async () => {
    await using operator = await startOperator();
    const { ops, json, sandbox } = operator;
    const env = { EGRESS_PER_SECOND: '10000' };
    const tokens = Array.from({ length: 22 }, (_, n) => sandbox.mintToken(n));
    const input = tokens.join('\n');
    await ops(['tokens', 'add'], { input, env });
    for (const token of tokens) sandbox.revoke(token);
    const { tokens: checked, reason } = await json<{ tokens: { verdict: string }[]; reason: string }>(
      ['tokens', 'check'],
      { env },
    );
    expect(checked.map(({ verdict }) => verdict)).toEqual([
      ...Array<string>(20).fill('rejected'),
      'not-asked',
      'not-asked',
    ]);
    expect(reason).toContain('rejected 20 tokens');
    await ops(['tokens', 'check', '--retire', '--yes'], { env });
    await ops(['tokens', 'check', '--retire', '--yes'], { env });
    const { exitCode, stdout, stderr } = await ops(['tokens', 'add'], { input, env });
    expect(exitCode).toBe(1);
    expect(stdout.match(/was not added: the platform rejected it/g)).toHaveLength(20);
    expect(stderr).toContain('wait ten minutes, then do the rest');
  });
});
