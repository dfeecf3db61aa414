import { describe, expect, it } from 'vitest';
import { createRetireToken } from '#server/donation/retire-token.ts';
import { tokenDigest } from '#server/donation/token-report.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import type { Vault } from '#server/vault/vault.ts';
import { useAdminListener } from '#test/support/admin-listener.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { useOperator } from '#test/support/operator.ts';
import { tokenOf } from '#test/support/well-formed.ts';

const site = useOperator();
const admin = useAdminListener();
const { ops, printed, json, look } = site;

const ID = expect.stringMatching(/^[0-9a-f]{8}$/);
const listed = async (options = {}) =>
  (await json<{ tokens: { id: string }[] }>(['tokens', 'list'], options)).tokens;

const botOf = (vault: Vault, row: DonatedTokenRow): string =>
  tokenDigest(vault, openRow(vault, row) ?? { botId: '' });

describe('tokens', () => {
  it('are added from standard input, listed without telling whose they are, and deleted', async () => {
    const [first, second] = [site.sandbox.mintToken(1), site.sandbox.mintToken(2)];
    const added = await ops(['tokens', 'add'], { input: `${first}\n\n  Bot ${second}\n` });
    expect(added).toMatchObject({ exitCode: 0, stderr: '' });
    const line = (n: number) => `The token on line ${n} was added as [0-9a-f]{8}\\. Receipt: WD-[\\w-]+\n`;
    expect(added.stdout).toMatch(new RegExp(`^${line(1)}${line(3)}$`));

    const tokens = await listed();
    expect(tokens).toEqual([
      {
        id: ID,
        created_day: expect.any(String),
        key: expect.any(String),
        kind: 'stored',
        opens: true,
        requests: null,
        state: 'unknown',
        since: null,
        until: null,
      },
      expect.objectContaining({ opens: true }),
    ]);
    const { stdout: table } = await ops(['tokens', 'list']);
    const botId = Buffer.from(first.split('.')[0] ?? '', 'base64url').toString();
    for (const secret of [first, second, ...first.split('.'), botId]) {
      for (const text of [added.stdout, table, site.shown()]) expect(text).not.toContain(secret);
    }

    const [{ id } = { id: '' }] = tokens;
    expect(await printed(['tokens', 'remove', id, '--dry-run'])).toBe(`0 The token ${id} would be deleted.`);
    expect(await listed()).toHaveLength(2);
    expect(await ops(['tokens', 'remove', id], { answer: 'yes' })).toMatchObject({ exitCode: 0 });
    expect(site.shown()).toContain(`Type yes to delete the token ${id}: `);
    expect(await listed()).toHaveLength(1);
  });

  it('of the operator are listed and checked with the stored ones, by an id that tells nothing', async () => {
    const [stored, own] = [site.sandbox.mintToken(1), site.sandbox.mintToken(2)];
    await ops(['tokens', 'add'], { input: stored });
    const env = { BOT_TOKENS: own };
    const tokens = await listed({ env });
    expect(tokens).toMatchObject([
      { id: ID, kind: 'stored' },
      { id: ID, kind: 'own', created_day: null, key: null, opens: null, state: 'unknown' },
    ]);
    site.sandbox.revoke(own);
    const checked = await ops(['tokens', 'check'], { env });
    expect(checked.exitCode).toBe(1);
    expect(checked.stdout).toContain(`failed  ${tokens[1]?.id}  own     rejected  the platform rejects it`);
    expect(checked.stdout).toContain('2 tokens checked.');
    const botId = Buffer.from(own.split('.')[0] ?? '', 'base64url').toString();
    for (const secret of [own, botId, ...own.split('.')]) expect(checked.stdout).not.toContain(secret);
  });

  it('that a donor withdrew are listed as such after a restore, before the server starts', async () => {
    await ops(['tokens', 'add'], { input: [1, 2].map(site.sandbox.mintToken).join('\n') });
    const [row] = await look(({ donatedTokens }) => donatedTokens.all());
    await look(({ withdrawn }) => withdrawn.add(row?.id ?? '', async () => {}));
    const withdrawn = { id: row?.id.slice(0, 8), state: 'withdrawn' };
    expect(await listed()).toMatchObject([withdrawn, { state: 'unknown' }]);
  });

  it('of the operator that the platform has revoked stay listed while the server is stopped', async () => {
    await ops(['init']);
    const token = tokenOf(site.sandbox.mintToken(1));
    const { clock } = createFakeSystem({ wallMs: Date.UTC(2026, 10, 17) });
    await look((records) => createRetireToken({ ...records, clock })(token));
    const [own] = await listed({ env: { BOT_TOKENS: token.secret.reveal() } });
    expect(own).toMatchObject({ kind: 'own', state: 'retired', since: '2026-11-17T00:00:00.000Z' });
  });

  it('have the states that the server tells, and those that it does not use', async () => {
    await ops(['tokens', 'add'], { input: [1, 2, 3].map(site.sandbox.mintToken).join('\n') });
    const [cooling, unused, odd] = await look(async ({ donatedTokens, vault }) =>
      (await donatedTokens.all()).map((row) => ({ row, bot: botOf(vault, row) })),
    );
    const until = '2026-11-17T10:00:00.000Z';
    const since = '2026-11-17T09:00:00.000Z';
    admin.say([
      { bot: cooling?.bot, requests: 7, state: 'cooling', since: null, until },
      { bot: odd?.bot, requests: 5 },
      { bot: 'c0ffee00c0ffee00', requests: null, state: 'retired', since, until: null },
    ]);
    expect(await listed({ env: admin.env })).toMatchObject([
      { id: cooling?.row.id.slice(0, 8), requests: 7, state: 'cooling', until },
      { id: unused?.row.id.slice(0, 8), requests: 0, state: 'unused' },
      { id: odd?.row.id.slice(0, 8), requests: 5, state: 'unknown' },
      { id: 'c0ffee00', kind: 'own', state: 'retired', since },
    ]);
    const { stdout } = await ops(['tokens', 'list'], { env: admin.env });
    expect(stdout).toContain(`  cooling until ${until}\n`);
    expect(stdout).toMatch(new RegExp(`^c0ffee00 +own +- +- +- +retired since ${since}$`, 'm'));
  });

  it('are added from a prompt that does not show them', async () => {
    const token = site.sandbox.mintToken(1);
    expect(await ops(['tokens', 'add'], { answer: token })).toMatchObject({ exitCode: 0 });
    expect(site.shown()).toContain('Token (hidden): ');
    expect(site.shown()).not.toContain(token);
  });

  it('that were deleted stay away, and so does one whose id begins like nothing', async () => {
    await ops(['tokens', 'add'], { input: site.sandbox.mintToken(1) });
    const rows = await look(({ donatedTokens }) => donatedTokens.all());
    const id = rows[0]?.id ?? '';
    for (const wanted of ['', id.slice(0, 7), `${id}0`, '%', '00000000'])
      expect(await ops(['tokens', 'remove', wanted, '--yes'])).toMatchObject({ exitCode: 2 });
    await ops(['tokens', 'remove', id.slice(0, 8), '--yes']);
    await look(async ({ donatedTokens, retirements, withdrawn }) => {
      expect(await donatedTokens.all()).toEqual([]);
      expect(withdrawn.has(id)).toBe(true);
      expect(await retirements.count()).toEqual({ platform: 0, operator: 1, last: null });
    });
    expect(await printed(['tokens', 'remove', id.slice(0, 8)])).toBe(
      `0 The token ${id.slice(0, 8)} is gone already: nothing was changed.`,
    );
  });

  it.each([
    ['nothing', '\n', /^2 No token given/],
    ['a line of junk', 'junk\n', /^2 Line 1 is not a bot token: no tokens were added\.$/],
    ['the token of a person', `mfa.${'x'.repeat(84)}`, /^2 Line 1 is a user token/],
  ])('%s is refused and nothing is made', async (_name, input, sentence) => {
    expect(await printed(['tokens', 'add'], { input })).toMatch(sentence);
    expect(await json(['tokens', 'list'])).toMatchObject({ tokens: [] });
  });

  it('are refused for the same reasons as a donation', async () => {
    const add = (n: number) => printed(['tokens', 'add'], { input: site.sandbox.mintToken(n) });
    for (const _time of ['first', 'second']) expect(await add(1)).toMatch(/^0 /);
    const [stored] = await listed();
    expect(await json(['tokens', 'add'], { input: site.sandbox.mintToken(1) })).toEqual({
      state: 'ok',
      tokens: [{ line: 1, outcome: 'already-stored', id: stored?.id, receipt: null, refused: null }],
    });
    const revoked = site.sandbox.mintToken(2);
    site.sandbox.revoke(revoked);
    const refused = await ops(['tokens', 'add', '--json'], { input: revoked });
    expect(refused).toMatchObject({ exitCode: 2, stderr: '' });
    expect(JSON.parse(refused.stdout)).toEqual({
      state: 'failed',
      error: 'The token was not added: the platform rejected it: reset it in the developer portal.',
    });
    site.sandbox.setGuildCount(site.sandbox.mintToken(3), 1);
    expect(await add(3)).toBe(
      '2 The token was not added: its bot is in one or more servers: use one that is in none.',
    );
    site.sandbox.faults.set({ status: { value: 500 } });
    expect(await add(4)).toBe(
      '1 The token was not added: the platform is not answering properly: try again later.',
    );
    site.sandbox.faults.clear();
    const mixed = await printed(['tokens', 'add'], {
      input: [5, 1, 6].map(site.sandbox.mintToken).join('\n'),
    });
    expect(mixed).toMatch(
      /^0 The token on line 1 was added.*\n.* line 2 is already stored as .*\n.* line 3 was added/,
    );
    expect(await look(({ donatedTokens }) => donatedTokens.all())).toHaveLength(3);
  });

  it('are not added where the server would not use them', async () => {
    const options = { input: site.sandbox.mintToken(1), env: { TOKEN_DONATIONS: 'off' } };
    expect(await printed(['tokens', 'add'], options)).toMatch(/^2 TOKEN_DONATIONS is off/);
  });

  it('that were stored before a failure keep their receipts', async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      if (pauses === 2)
        await look(({ database }) => database.schema.alterTable('donated_token').renameTo('gone').execute());
    };
    const input = [1, 2, 3, 4].map(site.sandbox.mintToken).join('\n');
    const { exitCode, stdout } = await ops(['tokens', 'add', '--json'], { input, pause });
    expect(exitCode).toBe(76);
    expect(JSON.parse(stdout)).toEqual({
      state: 'failed',
      tokens: [1, 2].map((line) => ({
        line,
        outcome: 'added',
        id: expect.any(String),
        receipt: expect.stringMatching(/^WD-/),
        refused: null,
      })),
      error: expect.stringMatching(/^The data could not be read or written: /),
    });
  });
});
