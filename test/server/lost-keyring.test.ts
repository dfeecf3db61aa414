import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

/** Two tokens, a link and an opt-out; then a second opt-out. */
const site = useOperator(async ({ ops, fill }) => {
  await fill();
  await ops(['optout', 'add', '776367000573177858']);
});
const keyring = join(site.dataDir, 'keyring.json');
const database = join(site.dataDir, 'whoflake.sqlite');
const beginAgain = () => site.ops(['init', '--from', database, '--yes']);
const records = async () => (await site.json<{ records: object }>(['status'])).records;

it('a keyring that is lost for good takes tokens and opt-outs with it, and leaves the links', async () => {
  rmSync(keyring);
  expect(await site.ops(['vanity', 'list'])).toMatchObject({ exitCode: 70 });
  const { exitCode, stdout } = await beginAgain();
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/1 vanity link, 0 opt-outs, 0 tokens\.\n2 opt-outs lost: .*\n2 tokens lost: /);
  expect(await records()).toMatchObject({ token_count: 0, active_link_count: 1, opt_out_count: 0 });
  expect(await site.json(['vanity', 'list'])).toMatchObject({ links: [{ name: 'snow' }] });
  // A whole site again: what is added now is there.
  await site.addTokens(1);
  await site.ops(['optout', 'add', '441997505123577857']);
  expect(await records()).toMatchObject({ token_count: 1, opt_out_count: 1 });
});

it('a keyring that was not lost loses nothing, and a site is not begun without a word or from something else', async () => {
  expect(await site.ops(['init', '--from', database])).toMatchObject({ exitCode: 2 });
  expect(await site.ops(['init', '--from', keyring, '--yes'])).toMatchObject({
    exitCode: 74,
    stderr: expect.stringContaining('not a database'),
  });
  expect(existsSync(database)).toBe(true);
  expect((await beginAgain()).stdout).toMatch(/2 opt-outs, 2 tokens\.\n(?!.*lost)/);
  expect(await records()).toMatchObject({ token_count: 2, opt_out_count: 2 });
});
