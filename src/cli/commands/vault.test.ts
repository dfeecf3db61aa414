import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { lockFolder } from '#server/storage/data-folder.ts';
import { useOperator } from '#test/support/operator.ts';

const TOKENS = 3;
const site = useOperator(({ addTokens }) => addTokens(TOKENS));
const { ops, printed, json, keyring, dataDir } = site;

type Keys = { keys: { key: string; token_count: number; active: boolean }[] };
const keys = async () => (await json<Keys>(['vault', 'status'])).keys;

it('a rotation makes a new key, and every token is sealed under it', async () => {
  const [old] = await keys();
  const { key } = await json<{ key: string }>(['vault', 'rotate']);
  expect(await keys()).toEqual([
    { ...old, token_count: 0, active: false },
    { key, created_day: expect.any(String), token_count: TOKENS, active: true },
  ]);
  expect(statSync(keyring).mode & 0o777).toBe(0o600);
  const { tokens } = await json<{ tokens: { opens: boolean }[] }>(['tokens', 'list']);
  expect(tokens.map(({ opens }) => opens)).toEqual([true, true, true]);
  const again = await printed(['tokens', 'add'], { input: site.sandbox.mintToken(1) });
  expect(again).toMatch(/^0 .*already stored/);
});

it('an old key is retired, but never the active one', async () => {
  const [{ key: kid } = { key: '' }] = await keys();
  const retire = (key: string, ...options: string[]) => printed(['vault', 'retire', key, ...options]);
  expect(await retire(kid, '--dry-run')).toMatch(/^2 .*active/);
  await ops(['vault', 'rotate']);
  expect(await retire(kid, '--yes')).toMatch(/^0 /);
  expect(readFileSync(keyring, 'utf8')).not.toContain(kid);
});

it('a key is not rotated while a server runs', async () => {
  const before = readFileSync(keyring, 'utf8');
  using _server = lockFolder(dataDir);
  expect(await printed(['vault', 'rotate'])).toMatch(/^79 /);
  expect(readFileSync(keyring, 'utf8')).toBe(before);
});
