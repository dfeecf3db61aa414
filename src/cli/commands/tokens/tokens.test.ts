import { describe, expect, it } from 'vitest';
import { startOperator } from '#test/support/operator.ts';

type TokenList = {
  tokens: {
    id: string;
    kind: string;
    opens: boolean | null;
    key: string | null;
    day: string | null;
    requests: number | null;
  }[];
};

describe('tokens', () => {
  it('are added from standard input, listed without telling whose they are, and deleted', async () => {
    await using operator = await startOperator();
    const { ops, json, sandbox } = operator;
    const [first, second] = [sandbox.mintToken(1), sandbox.mintToken(2)];
    const added = await ops(['tokens', 'add'], { input: `${first}\n\n  Bot ${second}\n` });
    expect(added).toMatchObject({ exitCode: 0, stderr: '' });
    expect(added.stdout).toMatch(
      /^The token on line 1 was added\. Receipt: WD-[\w-]+\nThe token on line 3 was added\. Receipt: WD-[\w-]+\n$/,
    );

    const { tokens } = await json<TokenList>(['tokens', 'list']);
    expect(tokens).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        day: expect.any(String),
        key: expect.any(String),
        kind: 'stored',
        opens: true,
        requests: null,
      },
      expect.objectContaining({ opens: true }),
    ]);
    const listed = await ops(['tokens', 'list']);
    const botId = Buffer.from(first.split('.')[0] ?? '', 'base64url').toString();
    for (const secret of [first, second, ...first.split('.'), botId]) {
      for (const text of [added.stdout, listed.stdout, operator.shown()]) expect(text).not.toContain(secret);
    }

    const [{ id } = { id: '' }] = tokens;
    expect(await ops(['tokens', 'remove', id, '--dry-run'])).toMatchObject({
      exitCode: 0,
      stdout: `The token ${id} would be deleted.\n`,
    });
    expect((await json<TokenList>(['tokens', 'list'])).tokens).toHaveLength(2);
    expect(await ops(['tokens', 'remove', id])).toMatchObject({
      exitCode: 2,
      stderr: `tokens remove cannot be undone: add --yes to delete the token ${id} without being asked.\n`,
    });
    expect(await ops(['tokens', 'remove', id], { answer: 'no' })).toMatchObject({
      exitCode: 2,
      stderr: 'Nothing was changed.\n',
    });
    expect((await json<TokenList>(['tokens', 'list'])).tokens).toHaveLength(2);
    expect(await ops(['tokens', 'remove', id], { answer: 'yes' })).toMatchObject({ exitCode: 0 });
    expect(operator.shown()).toContain(`Type yes to delete the token ${id}: `);
    expect((await json<TokenList>(['tokens', 'list'])).tokens).toHaveLength(1);
    expect(await ops(['tokens', 'remove', id, '--yes'])).toMatchObject({ exitCode: 2 });
  });

  it('of the operator are listed and checked with the stored ones, by an id that tells nothing', async () => {
    await using operator = await startOperator();
    const { ops, json, sandbox } = operator;
    const [stored, own] = [sandbox.mintToken(1), sandbox.mintToken(2)];
    await ops(['tokens', 'add'], { input: stored });
    const env = { BOT_TOKENS: own };
    const { tokens } = await json<TokenList>(['tokens', 'list'], { env });
    const id = expect.stringMatching(/^[0-9a-f]{8}$/);
    expect(tokens).toEqual([
      expect.objectContaining({ id, kind: 'stored' }),
      { id, kind: 'own', day: null, key: null, opens: null, requests: null },
    ]);
    sandbox.revoke(own);
    const checked = await ops(['tokens', 'check', '--retire', '--yes'], { env });
    expect(checked.exitCode).toBe(1);
    expect(checked.stdout).toContain(`failed  ${tokens[1]?.id}  own     rejected  the platform rejects it`);
    expect(checked.stdout).toContain('2 tokens checked, 0 of them deleted.');
    const botId = Buffer.from(own.split('.')[0] ?? '', 'base64url').toString();
    for (const secret of [own, botId, ...own.split('.')]) expect(checked.stdout).not.toContain(secret);
  });

  it('are added from a prompt that does not show them', async () => {
    await using operator = await startOperator();
    const token = operator.sandbox.mintToken(1);
    expect(await operator.ops(['tokens', 'add'], { answer: token })).toMatchObject({ exitCode: 0 });
    expect(operator.shown()).toContain('Token (hidden): ');
    expect(operator.shown()).not.toContain(token);
  });

  it('that were deleted stay away, and so does one whose id begins like nothing', async () => {
    await using operator = await startOperator();
    await operator.ops(['tokens', 'add'], { input: operator.sandbox.mintToken(1) });
    const rows = await operator.look(({ donatedTokens }) => donatedTokens.all());
    const id = rows[0]?.id ?? '';
    for (const wanted of ['', id.slice(0, 7), `${id}0`, '%', '00000000'])
      expect(await operator.ops(['tokens', 'remove', wanted, '--yes'])).toMatchObject({ exitCode: 2 });
    await operator.ops(['tokens', 'remove', id.slice(0, 8), '--yes']);
    await operator.look(async ({ donatedTokens, retirements, withdrawn }) => {
      expect(await donatedTokens.all()).toEqual([]);
      expect(withdrawn.has(id)).toBe(true);
      expect(await retirements.count()).toEqual({ platform: 0, operator: 1, last: null });
    });
  });

  it.each([
    ['nothing', '\n', /^No token given/],
    ['a line of junk', 'junk\n', /^Line 1 is not a bot token: no tokens were added\.$/],
    ['the token of a person', `mfa.${'x'.repeat(84)}`, /^Line 1 is a user token/],
  ])('%s is refused and nothing is made', async (_name, input, sentence) => {
    await using operator = await startOperator();
    const outcome = await operator.ops(['tokens', 'add'], { input });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr.trim()).toMatch(sentence);
    expect(await operator.ops(['tokens', 'list'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^There is no database in .*: check DATA_DIR/),
    });
  });

  it('are refused for the same reasons as a donation', async () => {
    await using operator = await startOperator();
    const { ops, sandbox } = operator;
    const add = async (n: number) => {
      const { exitCode, stderr } = await ops(['tokens', 'add'], { input: sandbox.mintToken(n) });
      return [exitCode, stderr.trim()];
    };
    expect(await add(1)).toEqual([0, '']);
    expect(await add(1)).toEqual([2, 'The token was not added: it is already stored.']);
    const revoked = sandbox.mintToken(2);
    sandbox.revoke(revoked);
    const refused = await ops(['tokens', 'add', '--json'], { input: revoked });
    expect(refused).toMatchObject({ exitCode: 2, stderr: '' });
    expect(JSON.parse(refused.stdout)).toEqual({
      state: 'failed',
      error: 'The token was not added: the platform rejected it: reset it in the developer portal.',
    });
    sandbox.setGuildCount(sandbox.mintToken(3), 1);
    expect(await add(3)).toEqual([
      2,
      'The token was not added: its bot is in one or more servers: use one that is in none.',
    ]);
    sandbox.faults.set({ status: { value: 500 } });
    expect(await add(4)).toEqual([
      1,
      'The token was not added: the platform is not answering properly: try again later.',
    ]);
    sandbox.faults.clear();
    const mixed = await ops(['tokens', 'add'], { input: [5, 1, 6].map(sandbox.mintToken).join('\n') });
    expect(mixed.exitCode).toBe(1);
    expect(mixed.stdout).toMatch(
      /^The token on line 1 was added.*\n.* line 2 was not added: it is already stored.*\n.* line 3 was added/,
    );
    expect(await operator.look(({ donatedTokens }) => donatedTokens.all())).toHaveLength(3);
  });

  it('are not added where the server would not use them', async () => {
    await using operator = await startOperator();
    const outcome = await operator.ops(['tokens', 'add'], {
      input: operator.sandbox.mintToken(1),
      env: { TOKEN_DONATIONS: 'off' },
    });
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^TOKEN_DONATIONS is off/) });
  });

  it.each([false, true])(
    'that were stored before a failure keep their receipts (json: %s)',
    async (asJson) => {
      await using operator = await startOperator();
      const { ops, look, sandbox } = operator;
      let pauses = 0;
      const pause = async () => {
        pauses += 1;
        if (pauses === 2)
          await look(({ database }) =>
            database.schema.alterTable('donated_token').renameTo('gone').execute(),
          );
      };
      const input = [1, 2, 3, 4].map(sandbox.mintToken).join('\n');
      const outcome = await ops(['tokens', 'add', ...(asJson ? ['--json'] : [])], { input, pause });
      const error = expect.stringMatching(/^The data could not be read or written: /);
      expect(outcome.exitCode).toBe(1);
      expect(outcome.stdout.match(/WD-[\w-]+/g)).toHaveLength(2);
      if (!asJson) return expect(outcome.stderr).toEqual(error);
      expect(JSON.parse(outcome.stdout)).toEqual({
        state: 'failed',
        tokens: [1, 2].map((line) => ({ line, receipt: expect.any(String) })),
        error,
      });
    },
  );
});
