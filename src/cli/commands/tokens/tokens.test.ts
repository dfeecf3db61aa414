import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

const site = useOperator();
const { ops, printed, json, look } = site;

const ID = expect.stringMatching(/^[0-9a-f]{8}$/);
const listed = async (options = {}) =>
  (await json<{ tokens: { id: string }[] }>(['tokens', 'list'], options)).tokens;

const botIdOf = (token: string): string => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();

it('tokens are added from standard input and listed without telling whose they are', async () => {
  const [first, second] = [site.sandbox.mintToken(1), site.sandbox.mintToken(2)];
  const added = await printed(['tokens', 'add'], { input: `${first}\n\n  Bot ${second}\n` });
  const line = (n: number) => `The token on line ${n} was added as [0-9a-f]{8}\\. Receipt: WD-[\\w-]+`;
  expect(added).toMatch(new RegExp(`^0 ${line(1)}\n${line(3)}$`));
  const tokens = await listed();
  const known = { id: ID, kind: 'stored', opens: true, requests: null, state: 'unknown' };
  expect(tokens).toMatchObject([known, known]);
  const table = await printed(['tokens', 'list']);
  for (const secret of [second, ...first.split('.'), botIdOf(first)])
    for (const text of [added, table, site.shown()]) expect(text).not.toContain(secret);
});

it('a token that was deleted stays away, and one whose id begins like nothing is not deleted', async () => {
  await site.addTokens(1);
  const [{ id } = { id: '' }] = await look(({ donatedTokens }) => donatedTokens.all());
  for (const wanted of ['', id.slice(0, 7), `${id}0`, '%', '00000000'])
    expect(await ops(['tokens', 'remove', wanted, '--yes'])).toMatchObject({ exitCode: 2 });
  await ops(['tokens', 'remove', id.slice(0, 8), '--yes']);
  await look(async ({ donatedTokens, retirements, withdrawn }) => {
    expect(await donatedTokens.all()).toEqual([]);
    expect(withdrawn.has(id)).toBe(true);
    expect(await retirements.count()).toEqual({ platform: 0, operator: 1, last: null });
  });
});

it.each(['junk\n', `mfa.${'x'.repeat(84)}`])('in place of tokens %j is refused', async (input) => {
  expect(await printed(['tokens', 'add'], { input })).toMatch(/^2 Line 1 is (?:not a bot|a user) token/);
});

it('tokens are refused for the same reasons as a donation', async () => {
  const add = (...numbers: number[]) =>
    printed(['tokens', 'add'], { input: numbers.map(site.sandbox.mintToken).join('\n') });
  site.sandbox.revoke(site.sandbox.mintToken(2));
  site.sandbox.setGuildCount(site.sandbox.mintToken(3), 1);
  expect(await add(1)).toMatch(/^0 /);
  expect(await add(2)).toMatch(/^2 The token was not added: the platform rejected it: /);
  expect(await add(3)).toMatch(/^2 The token was not added: its bot is in one or more servers: /);
  site.sandbox.faults.set({ status: { value: 500 } });
  expect(await add(4)).toMatch(/^1 The token was not added: the platform is not answering properly: /);
  site.sandbox.faults.clear();
  expect(await add(5, 1, 6)).toMatch(
    /^0 The token on line 1 was added.*\n.* line 2 is already stored as .*\n.* line 3 was added/,
  );
  const options = { input: site.sandbox.mintToken(7), env: { TOKEN_DONATIONS: 'off' } };
  expect(await printed(['tokens', 'add'], options)).toMatch(/^2 TOKEN_DONATIONS is off/);
  expect(await look(({ donatedTokens }) => donatedTokens.all())).toHaveLength(3);
});

it('tokens that were stored before a failure keep their receipts', async () => {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    if (pauses === 2)
      await look(({ database }) => database.schema.alterTable('donated_token').renameTo('gone').execute());
  };
  const input = [1, 2, 3, 4].map(site.sandbox.mintToken).join('\n');
  expect(await printed(['tokens', 'add'], { input, pause })).toMatch(
    /^76 (?:The token on line [12] was added as .* Receipt: WD-.*\n){2}The data could not be read or written: /,
  );
});
